/** Where e-mails are handed over. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** `start`: TLS from the first byte. `upgrade`: required. `offered`: if the server has it. */
  readonly tls: 'start' | 'upgrade' | 'offered' | 'off'
  readonly user: string | undefined
  readonly password: string | undefined
  readonly from: string
}

export interface MailMessage {
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
}

/** Sends e-mails of the service. */
export interface Mail {
  /**
   * Resolves when the mail server has taken the message.
   *
   * @throws MailError
   */
  send(message: MailMessage): Promise<void>
}

/** Why a message was not sent, without secrets. */
export class MailError extends Error {
  override readonly name = 'MailError'
  /** Another attempt ends the same way. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isFinal = isFinal
  }
}
