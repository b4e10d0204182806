import type { SourceReadings } from '../../ports/catalog/source-readings.ts'
import type { Mail } from '../../ports/host/mail.ts'
import type { ServicePorts } from '../service-ports.ts'

/** What sources need besides the usual ports. */
export interface SourcePorts extends ServicePorts {
  readonly sources: SourceReadings
  /** Absent: the service sends no e-mail. */
  readonly mail?: Mail | undefined
  /** Address of the dashboard; absent: e-mails have no links. */
  readonly publicUrl?: string | undefined
  /** A key of the installation, which the secrets of sources are encrypted with. */
  readonly addressKey: string
}
