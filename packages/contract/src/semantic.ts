import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { FIELD_NAME_MAX_CHARS } from './limits.ts'
import {
  EMBEDDER_NAME_MAX_CHARS,
  SEMANTIC_FIELDS_MAX,
  SIMILARITY_PAIRS_DEFAULT,
  SIMILARITY_PAIRS_MAX,
} from './semantic-limits.ts'
import { VECTOR_WEIGHT_DEFAULT } from './search.ts'

const embedder = Type.String({
  minLength: 1,
  maxLength: EMBEDDER_NAME_MAX_CHARS,
  description: 'Name of an embedder of the installation, which turns texts into vectors.',
})
const semanticFields = Type.Array(Type.String({ minLength: 1, maxLength: FIELD_NAME_MAX_CHARS }), {
  minItems: 1,
  maxItems: SEMANTIC_FIELDS_MAX,
  description:
    'Searchable fields of strings that the model reads, in this order. Default: title, category and tags, as far as the schema has them. Of a list of category paths (`Camping > Stoves`), the deepest level is read.',
})
const semanticWeight = Type.Number({
  minimum: 0,
  maximum: 1,
  default: VECTOR_WEIGHT_DEFAULT,
  description: 'Weight of meaning beside words, as a share of the best document by words.',
})
const questions = Type.Boolean({
  default: true,
  description: 'Whether questions and sentences are ranked by meaning first.',
})
const minSimilarity = Type.Number({
  minimum: -1,
  maximum: 1,
  description:
    'Documents at least this similar are found even without any word of the query. The right value depends on the model. Default: no such document is found.',
})
/** The setting `semantic` of a store. */
export const Semantic = Type.Object(
  {
    embedder,
    fields: Type.Optional(semanticFields),
    weight: Type.Optional(semanticWeight),
    questions: Type.Optional(questions),
    min_similarity: Type.Optional(minSimilarity),
  },
  {
    additionalProperties: false,
    description:
      'Search by meaning: documents are embedded in the background, and searches rank by words and meaning together. See docs/semantic.md.',
  },
)

/** The same with its defaults; `null`: no default. */
export const SemanticInForce = Type.Object({
  embedder,
  fields: Type.Union([semanticFields, Type.Null()]),
  weight: semanticWeight,
  questions,
  min_similarity: Type.Union([minSimilarity, Type.Null()]),
})

export const StoreEmbedding = Type.Object(
  {
    embedder,
    fields: Type.Array(Type.String(), { description: 'What the model reads.' }),
    state: Type.Enum(['running', 'waiting', 'ready'], {
      description:
        '`waiting`: the embedder does not answer, and is tried again. Documents without a vector are found by their words.',
    }),
    documents_done: Type.Integer({
      description:
        'Documents with a vector. One without text, or that the model refuses, has none.',
    }),
    documents_total: Type.Integer(),
    documents_per_second: Optional.Number({ description: 'Recent speed, while it runs.' }),
    problem: Optional.String({ description: 'Why it waits.' }),
    replaces: Optional.String({
      description: 'The embedder whose vectors serve searches until these are complete.',
    }),
  },
  {
    $id: 'StoreEmbedding',
    description: 'Vectors of the documents, made in the background; absent without `semantic`.',
  },
)
export type StoreEmbedding = Static<typeof StoreEmbedding>

export const SimilarityPairParameters = Type.Object({
  limit: Optional.Integer({
    minimum: 1,
    maximum: SIMILARITY_PAIRS_MAX,
    default: SIMILARITY_PAIRS_DEFAULT,
    description: 'Pairs; fewer if time runs out.',
  }),
})
export type SimilarityPairParameters = Static<typeof SimilarityPairParameters>

export const SimilarityPair = Type.Object({
  query: Type.String({ description: 'A frequent query, or what the model reads of a product.' }),
  id: Type.String({ description: 'Of a product without any word of the query.' }),
  text: Type.String({ description: 'What the model reads of the product.' }),
  similarity: Type.Number({ description: 'Of the two, to the model.' }),
})
export type SimilarityPair = Static<typeof SimilarityPair>

export const SimilarityPairList = Type.Object(
  {
    embedder,
    pairs: Type.Array(SimilarityPair, {
      description: 'Near and far pairs mixed. Empty: there are no vectors yet.',
    }),
  },
  { $id: 'SimilarityPairList' },
)
export type SimilarityPairList = Static<typeof SimilarityPairList>
