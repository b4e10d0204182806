import type { AuditEntry } from '@aisle/client'
import type { ReactNode } from 'react'
import { formatExactTime } from '../../format/time.ts'
import { browserOf } from '../../parts/session-list.tsx'
import { RESULT_LABELS } from './audit-lines.ts'
import { LinkButton } from '../../ui/button.tsx'

/** Everything that an entry says. */
export function EntryFacts({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const facts: readonly [name: string, value: ReactNode][] = [
    ['When', formatExactTime(Date.parse(entry.at))],
    ['Who', entry.login ?? entry.actor],
    ['What', entry.target],
    ['Store', entry.store_id],
    [
      'Outcome',
      `${RESULT_LABELS[entry.result]} (${entry.status}${entry.code === undefined ? '' : ` ${entry.code}`})`,
    ],
    ['From', entry.address],
    ['With', browserOf(entry.user_agent)],
    ['Operation', entry.action],
    ['Request', entry.request_id],
    ['Entry', entry.id],
  ]
  return (
    <>
      <dl className="audit-facts">
        {facts
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt className="muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <div className="row">
        <LinkButton size="small" to={`/audit?action=${encodeURIComponent(entry.action)}`}>
          All entries with this action
        </LinkButton>
        {entry.login !== undefined && (
          <LinkButton size="small" to={`/audit?login=${encodeURIComponent(entry.login)}`}>
            All entries of {entry.login}
          </LinkButton>
        )}
      </div>
    </>
  )
}
