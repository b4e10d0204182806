import { performIndexTask } from '@aisle/engine'
import type { IndexTask } from '@aisle/engine'
import { answerJobs } from '../../adapters/embedded/answer-jobs.ts'

/**
 * The index thread, but that it dies of every merge whose schema has a field of the name `deadly`.
 */
answerJobs((message, beat) => {
  const task = message as IndexTask
  if (task.kind === 'merge' && task.schema.fields.some(({ name }) => name === 'deadly')) {
    process.exit(1)
  }
  return performIndexTask(task, beat)
})
