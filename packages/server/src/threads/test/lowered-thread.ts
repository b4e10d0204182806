import { getPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { BACKGROUND_NICENESS, lowerThreadPriority } from '../thread-priority.ts'

/** A thread that makes way, and says what its priority is then. */
lowerThreadPriority(BACKGROUND_NICENESS)
parentPort!.postMessage(getPriority(0))
