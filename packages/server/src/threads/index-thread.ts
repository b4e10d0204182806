import { performIndexTask, type IndexTask } from '@aisle/engine'
import { SharedGarbage } from '../adapters/embedded/shared-garbage.ts'
import { answerJobs } from '../adapters/embedded/answer-jobs.ts'
import { BACKGROUND_NICENESS, lowerThreadPriority } from './thread-priority.ts'

lowerThreadPriority(BACKGROUND_NICENESS)
const garbage = new SharedGarbage()

/** Entry of the thread that merges segments, builds tries and writes index files. */
answerJobs((message, beat) => {
  const task = message as IndexTask
  const result = performIndexTask(task, beat)
  const sources = task.kind === 'merge' ? task.sources : []
  const read = sources.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
  garbage.passed(read + (result?.byteLength ?? 0))
  return result
})
