import type { ReactNode } from 'react'
import { Download, Pause, Play, RotateCcw, X } from 'lucide-react'
import { formatBytes, formatCount, formatNumber, formatPercent } from '../../format/numbers.ts'
import {
  cancelImport,
  continueImport,
  dismissImport,
  failedRowsText,
  isUnderWay,
  pauseImport,
  resumeImport,
  type ImportJob,
  type ImportPhase,
} from '../../parts/import-job.ts'
import { storePath, useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { downloadParts } from '../../ui/download.ts'
import { Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { FileError } from './file-drop.tsx'

const BADGES: Readonly<
  Record<ImportPhase, { word: string; kind: 'accent' | 'good' | 'warn' | 'bad' }>
> = {
  running: { word: 'Running', kind: 'accent' },
  paused: { word: 'Paused', kind: 'warn' },
  done: { word: 'Done', kind: 'good' },
  cancelled: { word: 'Cancelled', kind: 'warn' },
  stopped: { word: 'Stopped', kind: 'bad' },
}
const REASONS_SHOWN = 5

/** Progress of an import: done, rate, time left, failures; with pause, cancel, continue. */
export function ImportProgress({ job }: { readonly job: ImportJob }): ReactNode {
  const { storeId, calls } = useStore()
  const { phase, fileName, fileBytes, imported, failed, share, rowsPerSecond, secondsLeft } = job
  const badge = BADGES[phase]
  const isOther = job.storeId !== storeId
  return (
    <Section
      title={fileName}
      about={`${formatBytes(fileBytes)}${isOther ? ` · into the store ${job.storeId}` : ''}`}
      actions={<Badge kind={badge.kind}>{badge.word}</Badge>}
    >
      <Progress value={share} label="Import progress" />
      <dl className="import-figures">
        <Figure name="Imported" value={formatNumber(imported)} />
        {job.repeated > 0 && <Figure name="Duplicate ids" value={formatNumber(job.repeated)} />}
        <Figure name="Refused" value={formatNumber(failed)} />
        <Figure name="Progress" value={formatPercent(share, 0)} />
        {isUnderWay(job) && (
          <>
            <Figure name="Rows per second" value={formatNumber(rowsPerSecond)} />
            <Figure name="Time left" value={phase === 'paused' ? '–' : timeLeft(secondsLeft)} />
          </>
        )}
      </dl>
      {isUnderWay(job) && (
        <p className="small muted">
          You can use other pages in the meantime. Closing this tab stops the import. Rows already
          sent are kept, and you can continue with the same file.
        </p>
      )}
      {job.repeated > 0 && (
        <Note kind="warn">
          {formatCount(job.repeated, 'row')} had the id of an earlier row and replaced it:{' '}
          {job.repeatedIds.join(', ')}
          {job.repeated > job.repeatedIds.length && ', …'}
        </Note>
      )}
      {job.error !== undefined && <FileError error={job.error} />}
      {job.stuck !== undefined && (
        <Note kind="bad">
          <p className="strong">1,000 consecutive rows were refused for the same reason</p>
          <p>{job.stuck.example}</p>
        </Note>
      )}
      {job.reasons.length > 0 && (
        <ul className="small-list">
          {job.reasons.slice(0, REASONS_SHOWN).map(({ example, count, firstRow }) => (
            <li key={example}>
              <span className="strong number">{formatCount(count, 'row')}</span>
              {count === 1 ? ': row ' : ', first row '}
              <span className="number">{formatNumber(firstRow)}</span>: {example}
            </li>
          ))}
          {job.reasons.length > REASONS_SHOWN && (
            <li className="muted">
              and {formatCount(job.reasons.length - REASONS_SHOWN, 'other reason')}
            </li>
          )}
        </ul>
      )}
      <div className="row">
        {phase === 'running' && (
          <Button icon={Pause} onPress={pauseImport}>
            Pause import
          </Button>
        )}
        {phase === 'paused' && (
          <Button variant="primary" icon={Play} onPress={continueImport}>
            Continue import
          </Button>
        )}
        {isUnderWay(job) && (
          <Button icon={X} onPress={cancelImport}>
            Cancel import
          </Button>
        )}
        {(phase === 'cancelled' || phase === 'stopped') && !isOther && (
          <Button icon={RotateCcw} onPress={() => resumeImport(calls)}>
            Continue after row {formatNumber(job.rows)}
          </Button>
        )}
        {failed > 0 && (
          <Button
            icon={Download}
            onPress={() =>
              downloadParts(`${fileName}.failed.jsonl`, failedRowsText(), 'application/x-ndjson')
            }
          >
            Download refused rows
          </Button>
        )}
        {phase === 'done' && (
          <LinkButton to={storePath(job.storeId, 'documents')} variant="primary">
            See products
          </LinkButton>
        )}
        {!isUnderWay(job) && <Button onPress={dismissImport}>Import another file</Button>}
      </div>
    </Section>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd className="import-figure number">{value}</dd>
    </div>
  )
}

function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '–'
  const whole = Math.max(1, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
