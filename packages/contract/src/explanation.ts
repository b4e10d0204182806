import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'

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
  forms: Type.Array(Type.String(), { description: 'The form in the document.' }),
  quality: Type.Number(),
  evidence: Type.Number(),
  typo_cost: Optional.Number({ description: 'For typos and neighbours: cost of the edits.' }),
  counted: Type.Boolean({
    description: 'Whether it counts: weak alternatives do not count beside strong ones.',
  }),
  fields: Type.Array(fieldEvidence),
})

const word = Type.Object({
  word: Type.String(),
  known: Type.Boolean({ description: 'Whether the catalog has the word or an alternative of it.' }),
  stopword: Type.Boolean(),
  documents: Type.Integer({ description: 'Number of documents with it.' }),
  weight: Type.Number({ description: 'The rarer the word, the larger.' }),
  quality: Type.Number({
    description: 'Quality of the best alternative; 0 if the document has none.',
  }),
  evidence: Type.Number({ description: 'Sum over the alternatives that count.' }),
  saturation: Type.Number(),
  points: Type.Integer({ description: 'floor(weight * quality * 4096 * saturation + 0.5)' }),
  alternatives: Type.Array(alternative),
})

/** The explanation of a score: integers that sum to it, and how each comes about. */
export const ScoreExplanation = Type.Object(
  {
    tier: Type.Integer({ description: 'Points for having all significant words.' }),
    exact_value: Type.Integer({ description: 'Points for a field value that equals the query.' }),
    words: Type.Array(word),
    pairs: Type.Array(Type.Object({ words: Type.Array(Type.String()), points: Type.Integer() }), {
      description: 'Pairs of query words that are side by side in the title.',
    }),
    leading: Optional.Array(Type.Object({ word: Type.String(), points: Type.Integer() }), {
      description:
        'With `ranking.accessories` `down`: words before the part of the title that says what the product is for.',
    }),
    purpose: Optional.Object(
      {
        factor: Type.Number({
          description: 'Factor on the points of the words, after the others.',
        }),
      },
      {
        description:
          'The title says that the product is for what was searched for: "case for iPhone" in a search for "iphone".',
      },
    ),
    meaning: Optional.Object(
      {
        similarity: Type.Number({
          description: 'Similarity of the vector of the document to that of the search.',
        }),
        weight: Type.Number({
          description:
            'Its weight beside the words, from the request, a rule, the preset or the setting `semantic`.',
        }),
        question: Type.Optional(
          Type.Literal(true, {
            description:
              'The query is a question: ranks by words and by similarity decide the order, not points.',
          }),
        ),
        alone: Type.Optional(
          Type.Literal(true, { description: 'No word found the document, only its meaning.' }),
        ),
      },
      { description: 'With `vector` and words: what reorders documents beyond their scores.' },
    ),
    id_match: Type.Optional(
      Type.Literal(true, {
        description: 'The query is the document id: the document is first and has no points.',
      }),
    ),
    boost: Optional.Object(
      {
        factor: Type.Number({
          description: 'Product of the weights, 0.001 to 1000.',
        }),
        rules: Type.Array(
          Type.Object({ id: Type.String(), filter_by: Type.String(), weight: Type.Number() }),
        ),
      },
      { description: 'When rules boost: the factor on the points, and its reasons.' },
    ),
    personal: Optional.Object(
      {
        factor: Type.Number({ description: 'Factor on the points, in addition to boosts.' }),
        lifts: Type.Array(Type.Integer(), {
          description: 'Places, from 0, in `personalized.lifts` of the response.',
        }),
      },
      { description: 'In a personal search: what the visitor likes about the document.' },
    ),
    popularity: Optional.Object(
      {
        factor: Type.Number({ description: 'Factor on the points, in addition to boosts.' }),
        level: Type.Integer({ description: 'The value that `_popularity` sorts by.' }),
        appeal: Type.Number({
          description:
            'Attractiveness to visitors with the same query: 0 nobody chose it, 1 everybody did.',
        }),
      },
      { description: 'When `ranking.popularity_weight` is above 0.' },
    ),
    numeric: Optional.Object(
      {
        factor: Type.Number({ description: 'Factor on the points, in addition to the others.' }),
        signal: Type.Number({ description: 'From 0 to 1, by the shape of the setting.' }),
        value: Optional.Number({
          description:
            "The document's value, a date in seconds since 1970. Absent: it has none, and the factor is 1.",
        }),
      },
      { description: 'When `ranking.numeric` is set.' },
    ),
    learning: Optional.Object(
      {
        factor: Type.Number({ description: 'Factor on the points, in addition to the others.' }),
        lift: Type.Number({ description: 'Share of `ranking.learning_limit`, from 0 to 1.' }),
        clicks: Type.Number({
          description:
            'Clicks of visitors with the same query, weighted and without those of the busiest network.',
        }),
        expected: Type.Number({
          description: 'Clicks that an average document at the same places gets.',
        }),
      },
      { description: 'When `ranking.learning` is `on` and there are clicks for the query.' },
    ),
    popularity_trial: Optional.Enum(['with', 'without'], {
      description:
        'During a popularity trial: the order that placed the hit here, with or without popularity. Absent where both orders agree.',
    }),
    placed_by: Optional.Enum(['live', 'draft'], {
      description:
        'During an interleaved experiment: the order that placed the hit here. Absent where both orders agree.',
    }),
  },
  {
    $id: 'ScoreExplanation',
    description:
      '`tier + exact_value + points of all words + points of all pairs and leading words` is the text match score; boost times personal times popularity times numeric times learning multiplies the two sums of points, and purpose then that of the words, each rounded. Without words, boost times personal multiplies 1048576.',
  },
)
export type ScoreExplanation = Static<typeof ScoreExplanation>
