import { isIP } from 'node:net'
import { EMAIL_ADDRESS_MAX_CHARS } from '@aisle/contract/source-limits'
import { ConfigError } from './config-options.ts'
import { isLoopback } from './domain/access/network.ts'
import { isEmailAddress } from './domain/values/email-address.ts'
import type { MailServer } from './ports/host/mail.ts'

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

interface MailOptions {
  readonly smtpUrl: string | undefined
  readonly smtpUser: string | undefined
  readonly smtpPassword: string | undefined
  readonly smtpFrom: string | undefined
}

/** @returns undefined if the service sends no e-mail */
export function readMailServer({
  smtpUrl: text,
  smtpUser: user,
  smtpPassword: password,
  smtpFrom: from,
}: MailOptions): MailServer | undefined {
  if (text === undefined) {
    if ((user ?? password ?? from) === undefined) return undefined
    throw new ConfigError('--smtp-url is missing: the other --smtp options need it')
  }
  const url = URL.parse(text)
  const protocol = url?.protocol
  const isMail = protocol === 'smtp:' || protocol === 'smtps:'
  // Its text is not shown: it may have a password.
  if (url === null || !isMail || url.hostname === '' || url.pathname.length > 1 || url.search) {
    throw new ConfigError('--smtp-url must be an address such as smtp://mail.example.com:587')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(
      '--smtp-url must not contain a user name or a password: set --smtp-user and AISLE_SMTP_PASSWORD',
    )
  }
  if ((user === undefined) !== (password === undefined)) {
    throw new ConfigError('--smtp-user and --smtp-password belong together')
  }
  if (from === undefined) {
    throw new ConfigError('--smtp-from is missing: the address that e-mails come from')
  }
  if (!isEmailAddress(from)) {
    throw new ConfigError(
      `--smtp-from must be an address such as aisle@example.com, with at most ${EMAIL_ADDRESS_MAX_CHARS} characters, received "${from}"`,
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? PORTS[protocol] : Number(url.port)
  const isHere = host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
  const upgrade = user === undefined ? 'offered' : 'upgrade'
  // The certificate of a server on the same machine is seldom made for it.
  const tls = protocol === 'smtps:' ? 'start' : isHere ? 'off' : upgrade
  return { host, port, tls, user, password, from }
}

/** @returns without a slash at its end */
export function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url !== null && isWeb && url.username + url.password + url.search + url.hash === '') {
    return url.href.replace(/\/$/, '')
  }
  throw new ConfigError('--public-url must be an address such as https://search.example.com')
}
