import type { StoreKey } from '@aisle/client'

export type KeyKind = StoreKey['kind']

/** The name of each kind of key, what it grants, where it belongs. */
export const KEY_TEXTS: Readonly<
  Record<KeyKind, { readonly name: string; readonly about: string }>
> = {
  read: {
    name: 'Read secret',
    about: "Searches, suggestions and single products. Safe to use in your shop's pages.",
  },
  write: {
    name: 'Write secret',
    about: 'Changes products, rules and settings. For your servers only.',
  },
  events: {
    name: 'Events write key',
    about:
      'Sends visitor events; reads nothing. For Segment and compatible clients, in your pages.',
  },
  signing: {
    name: 'Signing secret',
    about: 'Signs user ids, so that nobody can pose as another user. For your servers only.',
  },
}

export const GRACE_OPTIONS = [
  { value: '0', label: 'Expire now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
] as const
export type Grace = (typeof GRACE_OPTIONS)[number]['value']
