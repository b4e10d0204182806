import { createServer } from 'node:net'

/**
 * Serving threads share the port among themselves (SO_REUSEPORT), and so the kernel would also let
 * a second service share it: requests would go to either. A plain bind detects this.
 */
export async function checkPortIsFree(host: string, port: number): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port, exclusive: true }, resolve)
    })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : (error as Error).message
    throw new Error(`Cannot listen on ${host}:${port}: ${reason}`, { cause: error })
  }
  await new Promise<void>((resolve) => probe.close(() => resolve()))
}
