import { setImmediate as nextTurn } from 'node:timers/promises'
import { TURN_MAX_MS } from '@aisle/contract'
import type { YieldingWork } from '../../domain/turns/gradual.ts'

/** The turns of the writer's loop on its thread, which has other things to do in between. */
export class LoopTurns implements YieldingWork {
  #beganMs = performance.now()

  isDue(): boolean {
    return performance.now() - this.#beganMs >= TURN_MAX_MS
  }

  async rest(): Promise<void> {
    await nextTurn()
    this.#beganMs = performance.now()
  }

  async restIfDue(): Promise<void> {
    if (this.isDue()) await this.rest()
  }
}
