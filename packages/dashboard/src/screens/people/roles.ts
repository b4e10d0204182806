import type { Role } from '../../session/session.ts'

export const ROLE_OPTIONS: readonly { value: Role; label: string; about: string }[] = [
  {
    value: 'analyst',
    label: 'Analyst',
    about: 'Sees everything but secrets: searches, rules, reports.',
  },
  {
    value: 'editor',
    label: 'Editor',
    about: 'Changes what is in stores: products, rules, settings.',
  },
  {
    value: 'owner',
    label: 'Owner',
    about: 'Also stores, keys, people, snapshots and the audit log.',
  },
]
