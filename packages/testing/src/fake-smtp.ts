import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface ReceivedMail {
  readonly from: string
  readonly to: string
  /** Headers, decoded as far as tests need it. */
  readonly subject: string
  /** As sent, with headers. */
  readonly raw: string
}

/** A mail server (RFC 5321) without TLS, which keeps what it receives. */
export class FakeSmtp {
  readonly received: ReceivedMail[] = []
  /** `user:password` of each login. */
  readonly logins: string[] = []
  /** Answers of the next messages in place of taking them, such as `451 Try later`. */
  readonly faults: string[] = []
  readonly port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => this.#serve(socket))
  }

  static async start(): Promise<FakeSmtp> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new FakeSmtp(server)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    let [from, to, text] = ['', '', '']
    let isData = false
    say('220 mail.example ESMTP')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          this.#take({ from, to, raw: line }, say)
          continue
        }
        const command = line.slice(0, 4).toUpperCase()
        if (command === 'EHLO') say('250-mail.example\r\n250 AUTH PLAIN')
        else if (command === 'AUTH') {
          const [, user = '', password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
            .toString()
            .split('\0')
          this.logins.push(`${user}:${password}`)
          say(password === 'wrong' ? `535 5.7.8 ${password} is not it` : '235 OK')
        } else if (command === 'MAIL') {
          from = addressIn(line)
          say('250 OK')
        } else if (command === 'RCPT') {
          to = addressIn(line)
          say('250 OK')
        } else if (command === 'DATA') {
          isData = true
          say('354 Go on')
        } else if (command === 'QUIT') socket.end('221 Bye\r\n')
        else say('250 OK')
      }
    })
  }

  #take(mail: Omit<ReceivedMail, 'subject'>, say: (line: string) => void): void {
    const fault = this.faults.shift()
    if (fault === undefined) this.received.push({ ...mail, subject: headerOf(mail.raw, 'Subject') })
    say(fault ?? '250 Taken')
  }
}

function addressIn(line: string): string {
  return line.slice(line.indexOf('<') + 1, line.indexOf('>'))
}

/** Folded lines are one. */
function headerOf(raw: string, name: string): string {
  const lines = raw.split('\r\n\r\n')[0]!.replaceAll('\r\n ', ' ').split('\r\n')
  const found = lines.find((line) => line.startsWith(`${name}: `)) ?? ''
  return found.slice(name.length + 2)
}
