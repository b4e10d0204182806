import type { SourceRun } from '@aisle/contract'
import type { MailMessage } from '../../ports/host/mail.ts'
import { presentFollowing, type FollowRecord } from './follow-record.ts'
import { presentRun, type SourceRecord, type SourceRunRecord } from './source-record.ts'

/** What is told of a source. */
export type SourceAlert =
  | {
      readonly event: 'failed' | 'removal_refused' | 'recovered'
      readonly run: SourceRunRecord
    }
  | {
      readonly event: 'following_failed' | 'following_recovered'
      readonly following: FollowRecord
      /** When the changes could not be read for the first time. */
      readonly failingSince: string
    }

/** Characters of a reason, which may have text of the server that a source reads. */
const REASON_MAX_CHARS = 500

/** What happened, for the subject and the first line: `Source "feed" of store "shop" …`. */
const EVENTS: { readonly [Event in SourceAlert['event']]: string } = {
  failed: 'failed',
  removal_refused: 'shrank: nothing was removed',
  recovered: 'works again',
  following_failed: 'receives no changes',
  following_recovered: 'receives changes again',
}

/** What follows from it for the products. */
const ADVICE: { readonly [Event in SourceAlert['event']]: string } = {
  failed: 'Products that were written stay as they are. The next scheduled run tries again.',
  removal_refused:
    'New and changed products were written. If it is right that the others are gone, run the source and allow it to remove them.',
  recovered: 'The last run was complete.',
  following_failed:
    'Products stay as they are. The service keeps trying, and writes what has changed when it succeeds.',
  following_recovered: 'Changes are written as they arrive.',
}

/** The object that a webhook receives. */
export function alertBody({ storeId, name }: SourceRecord, alert: SourceAlert): object {
  const { event } = alert
  const about = { event, store_id: storeId, source: name }
  return 'run' in alert
    ? { ...about, run: presentRun(alert.run) }
    : {
        ...about,
        following: presentFollowing(alert.following),
        failing_since: alert.failingSince,
      }
}

/** @param publicUrl of the dashboard; undefined: there is no link */
export function alertMail(
  source: SourceRecord,
  alert: SourceAlert,
  publicUrl: string | undefined,
): Omit<MailMessage, 'to'> {
  const { storeId, name } = source
  const title = `Source "${name}" of store "${storeId}" ${EVENTS[alert.event]}`
  const facts = [
    ['Store', storeId],
    ['Source', name],
    ...('run' in alert ? runFacts(source, alert.run) : followingFacts(alert)),
  ].map(([label, value]) => `${`${label}:`.padEnd(15)}${value}`)
  const path = `/stores/${encodeURIComponent(storeId)}/sources?source=${encodeURIComponent(name)}`
  const text = [
    `${title}.`,
    facts.join('\n'),
    ADVICE[alert.event],
    ...(publicUrl === undefined ? [] : [publicUrl + path]),
    'You receive this message because your address is among the alerts of this source.',
  ]
  // Without quotation marks, which not every program decodes in a subject.
  const subject = `[Aisle] ${title.replaceAll('"', '')}`
  return { subject, text: `${text.join('\n\n')}\n` }
}

function runFacts({ lastGoodRun }: SourceRecord, run: SourceRunRecord): string[][] {
  const { missing } = run.figures
  const good: SourceRun | undefined = run.state === 'failed' ? lastGoodRun : undefined
  return [
    ['Run', run.id],
    ...(run.error === undefined ? [] : [['Reason', oneLine(run.error)]]),
    ...(run.isRemovalRefused
      ? [['Reason', `${missing} products are missing in the source, or may be`]]
      : []),
    ['At', run.endedAt ?? run.createdAt],
    ...(run.state === 'failed' ? [['Last good run', good?.ended_at ?? 'none']] : []),
  ]
}

function followingFacts({
  following,
  failingSince,
}: Extract<SourceAlert, { following: FollowRecord }>): string[][] {
  const { error } = following
  return [
    ...(error === undefined ? [] : [['Reason', oneLine(error)]]),
    ['Failing since', failingSince],
  ]
}

function oneLine(text: string): string {
  // Controls would be read by terminals, and lines as facts.
  const plain = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').toWellFormed()
  return plain.length <= REASON_MAX_CHARS ? plain : `${plain.slice(0, REASON_MAX_CHARS)}…`
}
