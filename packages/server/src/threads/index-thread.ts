import { performIndexTask } from '@aisle/engine'
import type { IndexTask } from '@aisle/engine'
import { answerJobs } from './answer-jobs.ts'

/** Entry of the thread that merges segments, builds tries and writes index files. */
answerJobs((task) => performIndexTask(task as IndexTask))
