import type { Static } from 'typebox'
import { Type } from './type.ts'

const fieldEvidence = Type.Object({
  field: Type.String(),
  weight: Type.Number(),
  term_freq: Type.Integer({ description: 'Occurrences, rounded down to a level.' }),
  length: Type.Integer({ description: 'Words of the field, rounded down to a level.' }),
  average_length: Type.Number(),
  length_norm: Type.Number(),
  evidence: Type.Number({
    description: 'weight * term_freq / (1 - length_norm + length_norm * length / average_length)',
  }),
})

const alternative = Type.Object({
  variant: Type.Enum([
    'exact',
    'stem',
    'joined',
    'bare',
    'split',
    'compound',
    'prefix',
    'typo',
    'neighbour',
    'infix',
    'synonym',
  ]),
  forms: Type.Array(Type.String(), { description: 'What the document holds.' }),
  quality: Type.Number(),
  evidence: Type.Number(),
  typo_cost: Type.Optional(
    Type.Number({ description: 'Of typos and neighbours: what the mistakes cost.' }),
  ),
  counted: Type.Boolean({ description: 'Weak alternatives do not count beside strong ones.' }),
  fields: Type.Array(fieldEvidence),
})

const word = Type.Object({
  word: Type.String(),
  known: Type.Boolean({ description: 'Something in the catalog stands for the word.' }),
  stopword: Type.Boolean(),
  documents: Type.Integer({ description: 'How many documents have it.' }),
  weight: Type.Number({ description: 'The rarer, the larger.' }),
  quality: Type.Number({ description: 'Of the best alternative; 0: the document has none.' }),
  evidence: Type.Number({ description: 'Sum over the alternatives that count.' }),
  saturation: Type.Number(),
  points: Type.Integer({ description: 'floor(weight * quality * 4096 * saturation + 0.5)' }),
  alternatives: Type.Array(alternative),
})

/** The explanation of a score: integers that add up to it, and their origins. */
export const ScoreExplanation = Type.Object(
  {
    tier: Type.Integer({ description: 'For having all significant words.' }),
    exact_value: Type.Integer({ description: 'For a field value that is the query.' }),
    words: Type.Array(word),
    pairs: Type.Array(Type.Object({ words: Type.Array(Type.String()), points: Type.Integer() }), {
      description: 'Neighbouring words that stand side by side in the title.',
    }),
    leading: Type.Optional(
      Type.Array(Type.Object({ word: Type.String(), points: Type.Integer() }), {
        description:
          'When `ranking.accessories` is `down`: words in front of what the title says the thing is for.',
      }),
    ),
    vouched: Type.Array(
      Type.Object({
        word: Type.String(),
        share: Type.Number({
          description:
            'How often titles like this one have the word, 0 to 1; above .3 is not more.',
        }),
        points: Type.Integer(),
        title_words: Type.Array(Type.String(), {
          description: 'The words of the title that say so most, the best first.',
        }),
      }),
      {
        description:
          'Words of the query that the document lacks, while titles with its words often have them.',
      },
    ),
    id_match: Type.Optional(
      Type.Literal(true, {
        description: 'The query is the id of the document: it is first, and has no points.',
      }),
    ),
    boost: Type.Optional(
      Type.Object(
        {
          factor: Type.Number({
            description: 'Product of the weights; at most 1000, at least 0.001.',
          }),
          rules: Type.Array(
            Type.Object({ id: Type.String(), filter_by: Type.String(), weight: Type.Number() }),
          ),
        },
        { description: 'When rules boost: what the points are multiplied by, and why.' },
      ),
    ),
    popularity: Type.Optional(
      Type.Object(
        {
          factor: Type.Number({ description: 'What the points are multiplied by, beside boosts.' }),
          level: Type.Integer({ description: 'What `_popularity` orders by.' }),
          appeal: Type.Number({
            description: 'To visitors who searched for the same: 0 nobody chose it, 1 all did.',
          }),
        },
        { description: 'When `ranking.popularity_weight` is above 0.' },
      ),
    ),
    popularity_trial: Type.Optional(
      Type.Enum(['with', 'without'], {
        description:
          'While a trial runs: the order that brought the hit here, with popularity or without. Absent where both have the same.',
      }),
    ),
  },
  {
    $id: 'ScoreExplanation',
    description:
      '`tier + exact_value + points of all words + points of all pairs, leading and vouched-for words` is the text match score; boost times popularity multiplies the two sums of points, each rounded. Without words, boosts multiply 1048576.',
  },
)
export type ScoreExplanation = Static<typeof ScoreExplanation>
