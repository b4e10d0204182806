import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  EXPERIMENT_CATEGORY_MAX_CHARS,
  EXPERIMENT_NAME_MAX_CHARS,
  EXPERIMENT_PERCENT_DEFAULT,
  EXPERIMENT_PERCENT_MAX,
  EXPERIMENT_PERCENT_MIN,
  EXPERIMENT_REPORT_TAGS_MAX,
} from './experiment-limits.ts'
import { ANALYTICS_TAG_MAX_CHARS, ANALYTICS_TAGS_MAX, PUBLISH_NOTE_MAX_CHARS } from './limits.ts'
import { RelevanceDraft } from './relevance.ts'
import { StoreSettings } from './settings.ts'

export const EXPERIMENT_KINDS = ['interleaved', 'split'] as const
export type ExperimentKind = (typeof EXPERIMENT_KINDS)[number]

export const EXPERIMENT_GOALS = ['click', 'add_to_cart', 'order', 'revenue'] as const
export type ExperimentGoal = (typeof EXPERIMENT_GOALS)[number]

/** The experiment that the setting `popularity_trial` describes. */
export const POPULARITY_TRIAL_ID = 'popularity'

const name = Type.String({ minLength: 1, maxLength: EXPERIMENT_NAME_MAX_CHARS })
const kind = Type.Enum([...EXPERIMENT_KINDS], {
  description:
    '`interleaved`: each visitor sees both orders in one list, and their clicks choose; few visitors suffice. `split`: each visitor sees one of them; measures orders and revenue.',
})
const goal = {
  description:
    'The figure that decides a split experiment. An interleaved one is decided by clicks.',
}
const percent = Type.Integer({
  minimum: EXPERIMENT_PERCENT_MIN,
  maximum: EXPERIMENT_PERCENT_MAX,
  default: EXPERIMENT_PERCENT_DEFAULT,
  description: 'Percent of the visitors who get the draft; of a split experiment.',
})
const tags = Type.Array(Type.String({ minLength: 1, maxLength: ANALYTICS_TAG_MAX_CHARS }), {
  maxItems: ANALYTICS_TAGS_MAX,
  description:
    'Only searches with one of these `analytics_tags`, such as `mobile`, take part. Empty: all.',
})
const categoryText = Type.String({ minLength: 1, maxLength: EXPERIMENT_CATEGORY_MAX_CHARS })
const category = Type.Object(
  { field: categoryText, value: categoryText },
  {
    additionalProperties: false,
    description:
      'Only a category page takes part: searches without words whose filter names this value. Absent: all searches.',
  },
)
const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })

export const StartExperimentRequest = Type.Object(
  {
    name,
    kind,
    draft: RelevanceDraft,
    goal: Optional.Enum([...EXPERIMENT_GOALS], { default: 'order', ...goal }),
    draft_percent: Type.Optional(percent),
    tags: Type.Optional(tags),
    category: Type.Optional(category),
  },
  { $id: 'StartExperimentRequest', additionalProperties: false },
)
export type StartExperimentRequest = Static<typeof StartExperimentRequest>

const experiment = {
  id: Type.String(),
  name,
  kind,
  state: Type.Enum(['running', 'ended', 'published'], {
    description: '`published`: its draft became live.',
  }),
  goal: Type.Enum([...EXPERIMENT_GOALS], goal),
  draft_percent: percent,
  tags,
  category: Type.Optional(category),
  started_at: time(),
  started_by: Optional.String({ description: 'Login of the person; absent for a key.' }),
  ends_at: time('When it ended, or will end if nobody ends it.'),
  ended_by: Type.Optional(Type.String()),
}
export const Experiment = Type.Object(experiment, { $id: 'Experiment' })
export type Experiment = Static<typeof Experiment>

export const ExperimentList = Type.Object(
  { experiments: Type.Array(Experiment, { description: 'The newest first.' }) },
  { $id: 'ExperimentList' },
)
export type ExperimentList = Static<typeof ExperimentList>

export const ExperimentReportParameters = Type.Object({
  tags: Optional.Array(Type.String({ minLength: 1, maxLength: ANALYTICS_TAG_MAX_CHARS }), {
    maxItems: ANALYTICS_TAGS_MAX,
    description:
      'Only searches with one of these `analytics_tags`: a device, a country. Such a part has intervals and no verdict.',
  }),
  by_tag: Optional.Boolean({
    default: false,
    description: `Adds \`by_tag\` to the report: the same for each of the ${EXPERIMENT_REPORT_TAGS_MAX} tags with most searches.`,
  }),
  tag_prefix: Optional.String({
    maxLength: ANALYTICS_TAG_MAX_CHARS,
    description: 'Only tags that start with this are in `by_tag`, such as `device:`.',
  }),
})
export type ExperimentReportParameters = Static<typeof ExperimentReportParameters>

const orNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const figure = Type.Object({
  live: orNull('Of the visitors who get what is live; `null` without such events.'),
  draft: orNull('Of the visitors who get the draft.'),
  difference: orNull('Draft minus live.'),
  low: orNull('Lower end of the 95 % interval of the difference; valid on every day.'),
  high: orNull('Upper end.'),
})

/** What the visitors of both arms did. */
const armFigures = {
  visitors: Type.Object(
    { live: Type.Integer(), draft: Type.Integer() },
    {
      description: 'Interleaved: both count the same visitors.',
    },
  ),
  searches: Type.Object({ live: Type.Integer(), draft: Type.Integer() }),
  votes: Optional.Object(
    {
      draft: Type.Integer({ description: 'Visitors with more clicks on what the draft placed.' }),
      live: Type.Integer({ description: 'Visitors with more clicks on what is live.' }),
      ties: Type.Integer(),
      draft_share: orNull('Votes for the draft / votes for either.'),
      low: orNull('Lower end of its 95 % interval; valid on every day.'),
      high: orNull('Upper end.'),
    },
    { description: 'Of an interleaved experiment.' },
  ),
  figures: Optional.Object(
    {
      click: figure,
      add_to_cart: figure,
      order: figure,
      revenue: figure,
    },
    {
      description:
        'Of a split experiment: shares of visitors who clicked, added to the cart, ordered; and revenue per visitor.',
    },
  ),
  currency: Optional.String({ description: 'Of the revenue, if the events have one.' }),
}

export const ExperimentTagReport = Type.Object(
  { tag: Type.String(), ...armFigures },
  { description: 'What visitors did whose searches have this tag. It has no verdict.' },
)
export type ExperimentTagReport = Static<typeof ExperimentTagReport>

export const ExperimentReport = Type.Object(
  {
    verdict: Type.Enum(['undecided', 'draft', 'live'], {
      description: 'The arm that won. Once decided, it may be acted upon on any day.',
    }),
    reason: Optional.Enum(['too_early', 'too_few_visitors', 'no_events', 'too_close', 'part'], {
      description:
        'Why it is undecided. `no_events`: nothing that the goal counts is reported. `part`: of visitors with `tags`, nothing is decided.',
    }),
    confidence: Type.Number({
      description: 'How sure the difference of the goal is, from 0 to 1; valid on every day.',
    }),
    days: Type.Number({ description: 'So far.' }),
    days_left: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Estimate of the days until it is decided, if the difference stays; `null` if decided, or not before the experiment ends.',
    }),
    ...armFigures,
    by_day: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'In UTC.' }),
        live: orNull('The figure of the goal until then; of an interleaved one, share of votes.'),
        draft: orNull('The same of the draft.'),
        low: orNull(
          'Lower end of the 95 % interval of `draft`: of `live` plus the difference, or of the share of votes.',
        ),
        high: orNull('Upper end.'),
      }),
      { description: 'As it was at the end of each day, the first first.' },
    ),
    by_tag: Optional.Array(ExperimentTagReport, {
      description: 'If asked for: the tags of its searches, those of most searches first.',
    }),
  },
  { $id: 'ExperimentReport' },
)
export type ExperimentReport = Static<typeof ExperimentReport>

export const ExperimentWithReport = Type.Object(
  {
    ...experiment,
    draft: RelevanceDraft,
    report: ExperimentReport,
  },
  { $id: 'ExperimentWithReport' },
)
export type ExperimentWithReport = Static<typeof ExperimentWithReport>

export const PublishExperimentRequest = Type.Object(
  {
    note: Optional.String({
      maxLength: PUBLISH_NOTE_MAX_CHARS,
      description: 'Reason, for the history of the settings. Default: the name of the experiment.',
    }),
  },
  { $id: 'PublishExperimentRequest', additionalProperties: false },
)
export type PublishExperimentRequest = Static<typeof PublishExperimentRequest>

export const PublishedExperiment = Type.Object(
  { experiment: Experiment, settings: StoreSettings },
  { $id: 'PublishedExperiment', description: 'The settings now in force.' },
)
export type PublishedExperiment = Static<typeof PublishedExperiment>
