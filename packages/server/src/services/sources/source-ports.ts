import type { SourceReadings } from '../../ports/catalog/source-readings.ts'
import type { ServicePorts } from '../service-ports.ts'

/** What sources need besides the usual ports. */
export interface SourcePorts extends ServicePorts {
  readonly sources: SourceReadings
  /** A key of the installation, which the secrets of sources are encrypted with. */
  readonly addressKey: string
}
