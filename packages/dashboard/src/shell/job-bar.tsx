import { CircleCheck, CirclePause, TriangleAlert, Upload, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { formatCount, formatNumber, formatPercent } from '../format/numbers.ts'
import { dismissImport, isUnderWay, useImportJob, type ImportPhase } from '../parts/import-job.ts'
import { IconButton } from '../ui/button.tsx'
import { Progress } from '../ui/progress.tsx'
import { storePath } from '../session/store.ts'
import './job-bar.css'

const ICONS = {
  running: Upload,
  paused: CirclePause,
  done: CircleCheck,
  cancelled: CirclePause,
  stopped: TriangleAlert,
}
const WORDS: Readonly<Record<ImportPhase, string>> = {
  running: 'Importing',
  paused: 'Paused',
  done: 'Imported',
  cancelled: 'Cancelled',
  stopped: 'Stopped',
}

/** Shows work that continues while other screens are open: an import. Its own screen shows more. */
export function JobBar(): ReactNode {
  const job = useImportJob()
  const [path] = useLocation()
  if (job === undefined) return null
  const to = storePath(job.storeId, 'import')
  if (path === to) return null
  const Icon = ICONS[job.phase]
  return (
    <div className="job-bar floating" role="region" aria-label="Import">
      <Icon size={16} aria-hidden />
      <div className="grow">
        <Link href={to} className="job-bar-link cut">
          {WORDS[job.phase]} {job.fileName}
        </Link>
        <p className="small muted number">
          {formatCount(job.imported, 'product')}
          {job.failed > 0 && `, ${formatNumber(job.failed)} refused`}
          {isUnderWay(job) && ` · ${formatPercent(job.share, 0)}`}
        </p>
        {isUnderWay(job) && <Progress value={job.share} label="Import progress" />}
      </div>
      {!isUnderWay(job) && <IconButton label="Dismiss" icon={X} onPress={dismissImport} />}
    </div>
  )
}
