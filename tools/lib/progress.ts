/** Shows progress: a bar on a terminal, otherwise a line now and then. */
export class Progress {
  readonly #label: string
  readonly #total: number
  readonly #unit: string
  readonly #tty: boolean
  readonly #write: (text: string) => void
  readonly #startMs = performance.now()
  #done = 0
  #shownMs = 0

  /** @param total expected number; 0 if unknown */
  constructor(
    label: string,
    total: number,
    output: { tty: boolean; write: (text: string) => void } = terminal(),
    unit = 'documents',
  ) {
    this.#label = label
    this.#total = total
    this.#unit = unit
    this.#tty = output.tty
    this.#write = output.write
  }

  advance(count: number): void {
    this.#done += count
    const nowMs = performance.now()
    const everyMs = this.#tty ? 100 : 5_000
    if (nowMs - Math.max(this.#shownMs, this.#startMs) < everyMs) return
    this.#shownMs = nowMs
    this.#write(this.#tty ? `\r\u001b[K${this.#bar()}` : `${this.#text()}\n`)
  }

  /** Shows the end, and @returns the rate per second over the whole run */
  finish(): number {
    const seconds = (performance.now() - this.#startMs) / 1_000
    const line = `${this.#label}: ${count(this.#done)} ${this.#unit} in ${seconds.toFixed(1)} s, ${count(this.#rate())}/s`
    this.#write(this.#tty ? `\r\u001b[K${line}\n` : `${line}\n`)
    return this.#rate()
  }

  #rate(): number {
    return this.#done / Math.max(0.001, (performance.now() - this.#startMs) / 1_000)
  }

  #text(): string {
    const share = this.#total === 0 ? '' : ` of ${count(this.#total)}`
    const left = (this.#total - this.#done) / Math.max(1, this.#rate())
    const eta = this.#total === 0 ? '' : `, ${clock(left)} left`
    return `${this.#label}: ${count(this.#done)}${share} ${this.#unit}, ${count(this.#rate())}/s${eta}`
  }

  #bar(): string {
    if (this.#total === 0) return this.#text()
    const filled = Math.round(30 * Math.min(1, this.#done / this.#total))
    return `[${'█'.repeat(filled)}${'░'.repeat(30 - filled)}] ${this.#text()}`
  }
}

/** Progress goes to standard error, so that output can be piped. */
export function terminal(): { tty: boolean; write: (text: string) => void } {
  return { tty: process.stderr.isTTY, write: (text) => process.stderr.write(text) }
}

/** 1234567 -> "1,234,567" */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Seconds as m:ss. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
