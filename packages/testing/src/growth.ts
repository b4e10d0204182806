/** Shorter times are not measured: they are harmless, and too short for a clock of 4 ms. */
const NOTICEABLE_MS = 100
/**
 * For a text four times as long, a linear time grows four times, a quadratic time sixteen times.
 */
const GROWTH_MAX = 9
const ROUNDS = 3

/**
 * Whether the time of `run` grows faster than its text. The text is lengthened until reading it
 * takes noticeable time; then it is compared with a quarter of it. Times are processor times of the
 * thread, the best of several, so that a busy machine makes no difference.
 *
 * @param textOf a worst-case text of about this many characters
 * @param longest maximum length of tried texts
 * @returns undefined if the time is linear, else the measurements
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
