/** Interval of the check. */
const LOOK_MS = 500

/**
 * Ends the process like a SIGTERM when its parent is gone. npm passes SIGTERM and SIGINT on, but
 * when it is killed, the service would keep its port and its data folder, and nobody would know.
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
