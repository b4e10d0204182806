import type { ClusterSettings } from './cluster-settings.ts'
import type { LiveNodes } from './live-nodes.ts'

/**
 * The newest format of the control documents that this version knows. It is raised if a node of the
 * version before could misread a document: since 2, stores may have the content of another one
 * (`swaps`); since 3, secrets may be encrypted (`SECRETS_FORMAT`); since 4, documents have vectors
 * that nodes make.
 */
export const CLUSTER_FORMAT = 4
/** Nodes of older formats would look for the documents of a swapped store in the wrong place. */
export const SWAPS_FORMAT = 2
/** Nodes of older formats would write documents without their vectors. */
export const SPACES_FORMAT = 4

/** Key in the settings of the installation. */
const NAME = 'format'
const LOOK_MS = 1_000

/**
 * The format that all nodes write. During an upgrade older and newer nodes run together, and the
 * older format stays in force; a newer node raises it when every live node knows the next one. A
 * node that finds an unknown format must stop deciding anything.
 */
export class ClusterFormat {
  readonly #settings: ClusterSettings
  readonly #known: number
  #timer: NodeJS.Timeout | undefined

  private constructor(settings: ClusterSettings, known: number) {
    this.#settings = settings
    this.#known = known
  }

  /** @param known the newest that this node knows @throws Error if a newer one is in force */
  static async open(settings: ClusterSettings, known: number): Promise<ClusterFormat> {
    await settings.setFirst(NAME, known)
    const format = new ClusterFormat(settings, known)
    if (!format.isKnown()) throw format.error()
    return format
  }

  /** The format that all nodes write now. */
  get inForce(): number {
    return Number(this.#settings.get(NAME))
  }

  /** Whether this node may still read and write. */
  isKnown(): boolean {
    return this.inForce <= this.#known
  }

  /** The reason why it may not. */
  error(): Error {
    return new Error(
      `Cannot use this cluster: its control documents have format ${this.inForce}, but this version reads formats up to ${this.#known}`,
    )
  }

  /**
   * Raises the format as soon as all nodes know a newer one.
   *
   * @param onRaised called when this node has raised it: others see the change of the settings
   */
  follow(nodes: LiveNodes, onFailure: (error: unknown) => void, onRaised: () => void): void {
    this.#timer = setInterval(() => {
      this.#raise(nodes, onRaised).catch(onFailure)
    }, LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #raise(nodes: LiveNodes, onRaised: () => void): Promise<void> {
    const common = nodes.commonFormat()
    // A node whose beats do not arrive may have missed an older node.
    if (common <= this.inForce || !nodes.isHeard()) return
    await this.#settings.setAll(new Map([[NAME, common]]))
    onRaised()
  }
}
