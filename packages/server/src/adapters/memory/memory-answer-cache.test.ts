import { answerCacheConformance } from '../../ports/answer-cache.conformance.ts'
import { createMemoryAnswerCache } from './memory-answer-cache.ts'

answerCacheConformance('memory', async () => ({
  cache: createMemoryAnswerCache(),
  [Symbol.asyncDispose]: async () => undefined,
}))
