/** What takes less is not measured: it hurts nobody, and the clock, of 4 ms, would say little. */
const NOTICEABLE_MS = 100
/**
 * A text four times as long takes four times as long, or sixteen times when the time is quadratic.
 */
const GROWTH_MAX = 9
const ROUNDS = 3

/**
 * Whether the time that `run` takes grows faster than the text that it reads. The text is made
 * longer until reading it takes noticeably long; then it is compared with a quarter of it. Times
 * are those of the thread on its processor, the best of several, so that a busy machine makes no
 * difference.
 *
 * @param textOf a text of about so many characters, as bad as can be
 * @param longest texts of at most so many characters are tried
 * @returns undefined when the time is linear, else what was measured
 */
export function superlinear(
  run: (text: string) => unknown,
  textOf: (chars: number) => string,
  longest = 262_144,
): string | undefined {
  for (let chars = 1024; chars <= longest; chars *= 2) {
    if (timeOf(run, textOf(chars)) < NOTICEABLE_MS) continue
    const [quarter, whole] = [chars / 4, chars].map((length) => bestTime(run, textOf(length)))
    if (whole! < NOTICEABLE_MS || whole! / quarter! <= GROWTH_MAX) continue
    return `${chars / 4} characters take ${quarter!.toFixed(1)} ms, ${chars} ${whole!.toFixed(1)} ms`
  }
  return undefined
}

function bestTime(run: (text: string) => unknown, text: string): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => timeOf(run, text)))
}

/** @returns milliseconds */
function timeOf(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage()
  run(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
