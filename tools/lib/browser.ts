import chromium from '@sparticuz/chromium'
import { chromium as driver, type Browser } from 'playwright-core'

/**
 * Options of the browser, besides those of its driver: it resolves nothing outside of this machine.
 * The options proposed by the package are unsuitable: they disable the checks of cross-origin
 * calls.
 */
const BROWSER_ARGUMENTS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/**
 * A headless Chromium from a package; on systems that it does not support, the installed Chrome.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') {
    return await driver.launch({ channel: 'chrome', args: BROWSER_ARGUMENTS })
  }
  return await driver.launch({
    executablePath: await chromium.executablePath(),
    args: BROWSER_ARGUMENTS,
  })
}
