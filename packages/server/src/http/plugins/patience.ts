import {
  ANSWER_WINDOW_MAX_MS,
  BODY_WINDOW_MAX_MS,
  BULK_WINDOW_MAX_MS,
  HEAD_MAX_MS,
  REFUSAL_PAUSE_MS,
  STREAM_MAX_MS,
  UNREAD_ANSWERS_DEFAULT_MEGABYTES,
  UNREAD_BODY_MAX_MS,
} from '@aisle/contract'

/** Time limits for slow peers; tests use shorter ones. */
export interface Patience {
  /** Limit for the head of a request. */
  readonly headMs: number
  /** Limit for a body. */
  readonly bodyMs: number
  /** Limit for a streamed bulk, whose sender may have to produce the lines first. */
  readonly bulkMs: number
  /** Limit for the unread body of a refused request. */
  readonly unreadMs: number
  /** Limit for a whole stream, however fast it is read. */
  readonly streamMs: number
  /** Pause before a client without a key that sends too many requests is refused. */
  readonly refusalPauseMs: number
  /** Limit for a response. */
  readonly answerMs: number
  /** Bytes of all responses that are waiting to be read. */
  readonly unreadAnswersBytes: number
}

export const PATIENCE: Patience = {
  headMs: HEAD_MAX_MS,
  bodyMs: BODY_WINDOW_MAX_MS,
  bulkMs: BULK_WINDOW_MAX_MS,
  unreadMs: UNREAD_BODY_MAX_MS,
  streamMs: STREAM_MAX_MS,
  refusalPauseMs: REFUSAL_PAUSE_MS,
  answerMs: ANSWER_WINDOW_MAX_MS,
  unreadAnswersBytes: UNREAD_ANSWERS_DEFAULT_MEGABYTES * 1_000_000,
}
