import { setTimeout as delay } from 'node:timers/promises'
import { ALERT_ATTEMPTS_MAX, ALERT_MAILS_PER_HOUR_MAX, ApiError } from '@aisle/contract'
import { MailError } from '../../ports/host/mail.ts'
import { alertBody, alertMail, type SourceAlert } from './alert-text.ts'
import type { SourcePorts } from './source-ports.ts'
import { SOURCE_RECORDS, sourceKey, type SourceRecord } from './source-record.ts'

/** Milliseconds before the second attempt, and before each later one. */
const RETRY_MS = [2_000, 15_000] as const
const HOUR_MS = 3_600_000

type Report = (source: SourceRecord, error: unknown) => void

/**
 * Tells the webhook and the e-mail addresses of a source what has happened to it. A run does not
 * wait for that, and an alert is not sent again after the service was stopped.
 */
export class SourceAlerts {
  readonly #ports: SourcePorts
  readonly #report: Report
  readonly #sending = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  /** @param report is told of each alert that was not delivered, for the log */
  constructor(ports: SourcePorts, report: Report = () => undefined) {
    this.#ports = ports
    this.#report = report
  }

  tell(source: SourceRecord, alert: SourceAlert): void {
    const sending = this.#send(source, alert).catch((error: unknown) => this.#report(source, error))
    this.#sending.add(sending)
    void sending.finally(() => this.#sending.delete(sending))
  }

  /** Resolves when the attempts that have begun are over. No further ones begin. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.idle()
  }

  /** Resolves when every alert is delivered, or given up. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending)
  }

  async #send(source: SourceRecord, alert: SourceAlert): Promise<void> {
    const { webhook, emails = [] } = source
    const { sources, publicUrl } = this.#ports
    const deliveries: Promise<void>[] = []
    const deliver = (attempt: () => Promise<void>): void => {
      const report = (error: unknown): void => this.#report(source, error)
      deliveries.push(this.#attempt(attempt).catch(report))
    }
    if (webhook !== undefined) {
      const body = JSON.stringify(alertBody(source, alert))
      deliver(() => sources.notify(webhook, body))
    }
    if (emails.length > 0) {
      const mail = await this.#mailOf(source)
      const content = alertMail(source, alert, publicUrl)
      for (const to of emails) deliver(() => mail.send({ to, ...content }))
    }
    await Promise.all(deliveries)
  }

  /** @throws MailError if none may be sent */
  async #mailOf({ storeId, name }: SourceRecord): Promise<NonNullable<SourcePorts['mail']>> {
    const { mail, clock } = this.#ports
    if (mail === undefined) throw new MailError('The service has no mail server', true)
    const nowMs = clock.now()
    const counted = await SOURCE_RECORDS.update(this.#ports, sourceKey(storeId, name), (one) => {
      const recent = (one.mailedAtMs ?? []).filter((atMs) => atMs > nowMs - HOUR_MS)
      return recent.length >= ALERT_MAILS_PER_HOUR_MAX
        ? undefined
        : { ...one, mailedAtMs: [...recent, nowMs] }
    })
    if (counted !== undefined) return mail
    const most = `${ALERT_MAILS_PER_HOUR_MAX} alerts of this source were sent in an hour`
    throw new MailError(`${most}: no further one is sent by e-mail`, true)
  }

  async #attempt(send: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send()
      } catch (error) {
        if (attempt >= ALERT_ATTEMPTS_MAX || !mayBeTriedAgain(error)) throw error
      }
      const { signal } = this.#stopping
      await delay(RETRY_MS[attempt - 1] ?? RETRY_MS.at(-1), undefined, { signal })
    }
  }
}

function mayBeTriedAgain(error: unknown): boolean {
  return error instanceof MailError ? !error.isFinal : error instanceof ApiError
}
