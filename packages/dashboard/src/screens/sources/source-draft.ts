import type { PutSourceRequest, Source } from '@aisle/client'
import {
  membersOf,
  readMembers,
  SECRETS,
  type Connection,
  type Kind,
  type Members,
  type SecretName,
} from './connection-kinds.ts'

/** What the form of a source has, as it is typed. */
export interface Draft {
  readonly name: string
  readonly kind: Kind
  readonly members: Members
  /** The members as JSON, while they are edited in this form. */
  readonly json: string | undefined
  readonly secrets: { readonly [Name in SecretName]?: string }
  readonly idColumn: string
  readonly mapping: Readonly<Record<string, string>>
  readonly cron: string
  readonly timeZone: string
  readonly removes: boolean
  readonly removedPercent: number
  readonly webhook: string
  /** Separated by commas. */
  readonly emails: string
}

export function draftOf(saved: Source | undefined): Draft {
  const { schedule } = saved ?? {}
  const kind = saved?.connection.kind ?? 'feed'
  return {
    name: saved?.name ?? '',
    kind,
    members: membersOf(kind, saved),
    json: undefined,
    secrets: {},
    idColumn: saved?.id_column ?? '',
    mapping: saved?.mapping ?? {},
    cron: saved === undefined ? '0 5 * * *' : (schedule?.cron ?? ''),
    timeZone: schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    removes: saved?.deletions === 'remove_missing',
    removedPercent: Math.round((saved?.max_removed_share ?? 0.2) * 100),
    webhook: saved?.alerts?.webhook ?? '',
    emails: saved?.alerts?.emails?.join(', ') ?? '',
  }
}

/**
 * What the form does not show stays as it is.
 *
 * @throws Error if the connection is edited as JSON, and is none
 */
export function requestOf(draft: Draft, saved: Source | undefined): PutSourceRequest {
  const { kind, idColumn, mapping, cron, timeZone, webhook } = draft
  const members = draft.json === undefined ? draft.members : readMembers(draft.json)
  const secrets = SECRETS[kind].flatMap(([name]) => {
    const value = draft.secrets[name] ?? ''
    return value === '' ? [] : [[name, value]]
  })
  const emails = draft.emails.split(/[\s,;]+/).filter((one) => one !== '')
  return {
    connection: { ...members, kind } as unknown as Connection,
    ...(secrets.length === 0 ? {} : { secrets: Object.fromEntries(secrets) }),
    mapping,
    ...(idColumn === '' ? {} : { id_column: idColumn }),
    ...(cron === '' ? {} : { schedule: { cron, time_zone: timeZone } }),
    deletions: draft.removes ? 'remove_missing' : 'keep',
    max_removed_share: draft.removedPercent / 100,
    on_error: saved?.on_error ?? 'skip',
    ...(webhook === '' && emails.length === 0
      ? {}
      : {
          alerts: {
            ...(webhook === '' ? {} : { webhook }),
            ...(emails.length === 0 ? {} : { emails }),
          },
        }),
  }
}
