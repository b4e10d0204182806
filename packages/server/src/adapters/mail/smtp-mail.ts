import { MailError, type Mail, type MailMessage, type MailServer } from '../../ports/host/mail.ts'

/** Milliseconds until a connection is made, and between two answers of the server. */
const ANSWER_MAX_MS = 15_000
/** Milliseconds for one message. */
const SEND_MAX_MS = 60_000

/** @param server undefined: no e-mail is sent */
export function mailOf(server: MailServer | undefined): Mail | undefined {
  return server && new SmtpMail(server)
}

/** Hands messages to a mail server, each by a connection that ends with it. */
export class SmtpMail implements Mail {
  readonly #server: MailServer

  constructor(server: MailServer) {
    this.#server = server
  }

  async send({ to, subject, text }: MailMessage): Promise<void> {
    const { host, port, tls, user, password, from } = this.#server
    // Threads that serve requests load this file, and seldom send anything.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      host,
      port,
      secure: tls === 'start',
      requireTLS: tls === 'upgrade',
      ignoreTLS: tls === 'off',
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      connectionTimeout: ANSWER_MAX_MS,
      greetingTimeout: ANSWER_MAX_MS,
      socketTimeout: ANSWER_MAX_MS,
      dnsTimeout: ANSWER_MAX_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('it took too long')), SEND_MAX_MS)
    // Automatic replies, such as those of somebody on holiday, are not wanted (RFC 3834).
    const headers = { 'Auto-Submitted': 'auto-generated' }
    const sent = transport.sendMail({ from, to, subject, text, headers })
    try {
      await Promise.race([sent, late])
    } catch (error) {
      sent.catch(() => undefined)
      throw this.#failed(error as SmtpError)
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }

  #failed(error: SmtpError): MailError {
    const { host, password } = this.#server
    const isFinal = (error.responseCode ?? 0) >= 500 || error.code === 'EAUTH'
    const text = error.message.replaceAll(/\s+/g, ' ').slice(0, 500)
    const shown = password === undefined ? text : text.replaceAll(password, '…')
    return new MailError(`"${host}" did not take an e-mail: ${shown}`, isFinal)
  }
}

type SmtpError = Error & { readonly responseCode?: number; readonly code?: string }
