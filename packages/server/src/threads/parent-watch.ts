/** Interval of the check. */
const LOOK_MS = 500

/**
 * Ends the process, as SIGTERM would, when its parent has ended. npm passes SIGTERM and SIGINT on,
 * but when npm is killed, the service would keep its port and its data folder unnoticed.
 */
export function endWithParent(): void {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS)
  looking.unref()
}
