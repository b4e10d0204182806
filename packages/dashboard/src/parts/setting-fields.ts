import {
  CACHE_MAX_BYTES_MAX,
  CACHE_TTL_MAX_SECONDS,
  EVENT_BYTES_PER_DAY_MAX,
  EVENT_BYTES_PER_DAY_MIN,
  EVENT_RETENTION_MAX_DAYS,
  GROUP_LIMIT_MAX,
  TYPO_MAX,
} from '@aisle/contract/limits'
import { PERSONALIZE_LIMIT_MAX } from '@aisle/contract/personalize-limits'
import {
  WORD_LENGTH,
  YES_OR_NO,
  type SettingField,
  type SettingSection,
} from './setting-control.ts'

const CARD_FIELDS = [
  ['title', 'Title', 'The product name.'],
  ['image', 'Picture', 'URL of its image.'],
  ['url', 'Link', 'URL of its page in the shop.'],
  ['price', 'Price', 'A number.'],
  ['currency', 'Currency', 'ISO code, such as EUR.'],
  ['brand', 'Brand', 'The manufacturer.'],
  ['category', 'Category', 'Its category in the shop.'],
] as const

/** Every setting, by subject. A test compares it with the contract. */
export const SETTING_SECTIONS: readonly SettingSection[] = [
  {
    id: 'language',
    title: 'Language',
    about: 'How products and queries are split into words, and which word forms match each other.',
    fields: [
      {
        path: 'language',
        label: 'Language of the products',
        about:
          'Changing it re-indexes all products in the background. Searches use the current language until then.',
        fallback: 'English',
        control: { kind: 'language' },
      },
      {
        path: 'symbols_to_index',
        label: 'Symbols that are part of words',
        about:
          'One character per line. With +, a search for c++ ranks C++ above C. Changing this re-indexes all products.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: '+\n#' },
      },
      {
        path: 'token_separators',
        label: 'Characters that separate words',
        about:
          'One per line. With /, AC/DC is two words and no longer matches ACDC. Changing this re-indexes all products.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: '/' },
      },
    ],
  },
  {
    id: 'card',
    title: 'Product card',
    about:
      "Which fields are a product's title, image and price, in this dashboard and in search results.",
    fields: [
      ...CARD_FIELDS.map(([role, label, about]): SettingField => ({
        path: `product_card.${role}`,
        label,
        about,
        fallback: 'guessed from field names and types',
        control: { kind: 'field' },
      })),
      {
        path: 'product_card.metadata',
        label: 'More fields',
        about: 'Field names, one per line, shown below the others.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: 'color\nsize' },
      },
    ],
  },
  {
    id: 'ranking',
    title: 'Ranking',
    about:
      "Defaults for searches whose request and preset don't set them. Try a change on the Relevance page first.",
    fields: [
      {
        path: 'ranking.popularity_weight',
        label: 'Popularity',
        about:
          'How much clicks and purchases count, from 0 to 1: the largest share they can add to a score.',
        fallback: '0, not at all',
        control: { kind: 'number', min: 0, max: 1, step: 0.05 },
      },
      {
        path: 'ranking.learning',
        label: 'Learning',
        about:
          'Raises products for the queries for which visitors choose them more often than their place explains.',
        fallback: 'off',
        control: {
          kind: 'options',
          options: [
            ['off', 'Off'],
            ['on', 'On'],
          ],
        },
      },
      {
        path: 'ranking.learning_limit',
        label: 'Learning limit',
        about: 'From 0 to 1: the largest share that learning can add to a score.',
        fallback: '0.2',
        control: { kind: 'number', min: 0, max: 1, step: 0.05 },
      },
      {
        path: 'ranking.numeric',
        label: 'Your own number',
        about:
          'A number field that raises scores, such as margin or sales: its field, weight from 0 to 1, shape (log, linear or decay) and scale, one per line; decay also needs an origin, such as now.',
        fallback: 'none',
        control: {
          kind: 'lines',
          placeholder: 'field: margin\nweight: 0.2\nshape: linear\nscale: 100',
        },
      },
      {
        path: 'ranking.personalize',
        label: 'Personal results',
        about:
          'The most that a visitor’s taste in brands, categories, sizes and prices can add to a score. For visitors whose ids your pages send; ask for their consent first.',
        fallback: 'off',
        control: { kind: 'taste', max: PERSONALIZE_LIMIT_MAX },
      },
      {
        path: 'ranking.min_relevance',
        label: 'Minimum relevance',
        about: 'From 0 to 1. Excludes products whose text score is below this share of the best.',
        fallback: '0, nothing excluded',
        control: { kind: 'number', min: 0, max: 1, step: 0.05 },
      },
      {
        path: 'distinct.field',
        label: 'Variants',
        about: 'Shows only the best of the products with equal values in this field.',
        fallback: 'all shown',
        control: { kind: 'field' },
      },
      {
        path: 'distinct.limit',
        label: 'Variants shown',
        about: 'How many variants to show.',
        fallback: '1',
        control: { kind: 'number', min: 1, max: GROUP_LIMIT_MAX },
      },
      {
        path: 'omit_fields',
        label: 'Hidden fields',
        about:
          'Fields that visitors never see, such as your cost price, one per line. They can still be searched and sorted by.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: 'cost' },
      },
      {
        path: 'interpretation.mode',
        label: 'Filters in queries',
        about:
          'Reads “red tents under 100” as tents that are red and cost less than 100. Suggest: answers say so. Apply: results are filtered too.',
        fallback: 'off',
        control: {
          kind: 'options',
          options: [
            ['off', 'Off'],
            ['suggest', 'Suggest'],
            ['apply', 'Apply'],
          ],
        },
      },
      {
        path: 'interpretation.price_field',
        label: 'Price in queries',
        about: 'The field that “under 100” is about.',
        fallback: 'the price of the product card',
        control: { kind: 'field' },
      },
      {
        path: 'interpretation.fields',
        label: 'Values in queries',
        about: 'Facets whose values are read in queries, one per line.',
        fallback: 'brand, category, colour, size and material',
        control: { kind: 'lines', placeholder: 'brand\ncolor' },
      },
      {
        path: 'ranking.accessories',
        label: 'Accessories',
        about:
          'Rank them lower: title words before “for”, “with”, “compatible” or “fits” count more than those after it, so phones rank above phone cases.',
        fallback: 'no difference',
        control: {
          kind: 'options',
          options: [
            ['off', 'No difference'],
            ['down', 'Down'],
          ],
        },
      },
      {
        path: 'ranking.sort_by',
        label: 'Order',
        about:
          'One expression per line, most important first: price:asc, _text_match, _popularity.',
        fallback: 'by relevance',
        control: { kind: 'lines', placeholder: '_text_match\nprice:asc' },
      },
      {
        path: 'ranking.field_weights',
        label: 'Field weights',
        about:
          'One field per line, such as title: 5. Weight 3 counts three times as much as weight 1. Other fields are not searched.',
        fallback: 'guessed from field names',
        control: { kind: 'lines', placeholder: 'title: 5\nbrand: 3' },
      },
    ],
  },
  {
    id: 'meaning',
    title: 'Search by meaning',
    about:
      'Ranks by words and meaning together: “something to cook on” finds stoves. Products are prepared in the background.',
    fields: [
      {
        path: 'semantic.embedder',
        label: 'Language model',
        about: 'An embedder of this installation. Another one is prepared beside the one in use.',
        fallback: 'off',
        control: { kind: 'embedder' },
      },
      {
        path: 'semantic.fields',
        label: 'Fields it reads',
        about: 'One per line, most important first. Long descriptions take time and gain nothing.',
        fallback: 'title, category and tags',
        control: { kind: 'lines', placeholder: 'title\ncategory\ntags' },
      },
      {
        path: 'semantic.weight',
        label: 'Weight of meaning',
        about: 'How much meaning counts beside words. 0: not at all.',
        fallback: '0.3',
        control: { kind: 'number', min: 0, max: 1, step: 0.05 },
      },
      {
        path: 'semantic.questions',
        label: 'Questions',
        about: 'Sentences, such as “gift for a hiker”, rank by meaning first.',
        fallback: 'yes',
        control: YES_OR_NO,
      },
      {
        path: 'semantic.min_similarity',
        label: 'Products without the words',
        about:
          'From this similarity on, products without any word of the query are found. Read some before you set it: it differs from model to model.',
        fallback: 'not found',
        control: { kind: 'number', min: -1, max: 1, step: 0.05 },
      },
    ],
  },
  {
    id: 'matching',
    title: 'Matching',
    about:
      "Which words match each other. Defaults for searches whose request and preset don't set them.",
    fields: [
      {
        path: 'ranking.typo_max',
        label: 'Typos per word',
        about: 'Maximum number tolerated; 0 for none.',
        fallback: '2',
        control: { kind: 'number', min: 0, max: TYPO_MAX },
      },
      {
        path: 'ranking.typo_min_len_1',
        label: 'Minimum length for one typo',
        about: 'Shorter words must match exactly.',
        fallback: '4 characters',
        control: WORD_LENGTH,
      },
      {
        path: 'ranking.typo_min_len_2',
        label: 'Minimum length for two typos',
        about: 'Shorter words may have one typo.',
        fallback: '7 characters',
        control: WORD_LENGTH,
      },
      {
        path: 'ranking.typo_numbers',
        label: 'Typos in numbers',
        about:
          'Also tolerate typos in words with digits. Off by default, because model numbers often differ by one digit.',
        fallback: 'no',
        control: YES_OR_NO,
      },
      {
        path: 'ranking.prefix_mode',
        label: 'Last word as prefix',
        about: 'Finds trekking for trek while typing.',
        fallback: 'always',
        control: {
          kind: 'options',
          options: [
            ['always', 'Always'],
            ['fallback', 'If whole words find nothing'],
            ['off', 'Never'],
          ],
        },
      },
      {
        path: 'ranking.infix_mode',
        label: 'Inside words',
        about: 'Finds AB1234 for B123, ranked last.',
        fallback: 'never',
        control: {
          kind: 'options',
          options: [
            ['off', 'Never'],
            ['fallback', 'If nothing else matches the word'],
            ['always', 'Always'],
          ],
        },
      },
      {
        path: 'ranking.require_all_terms',
        label: 'Require all words',
        about: 'Excludes products that lack a word of the query.',
        fallback: 'if at least 10 products have all',
        control: {
          kind: 'options',
          options: [
            ['auto', 'If at least 10 products have all'],
            [true, 'Always'],
            [false, 'Never'],
          ],
        },
      },
      {
        path: 'ranking.exact_match_boost',
        label: 'Exact values first',
        about: 'A product whose value equals the query ranks first.',
        fallback: 'in titles, brands and texts',
        control: {
          kind: 'options',
          options: [
            [true, 'In any field but lists'],
            [false, 'No'],
          ],
        },
      },
    ],
  },
  {
    id: 'visitors',
    title: 'Shop and visitors',
    about: 'Which sites may search this store, and how visitors are identified.',
    fields: [
      {
        path: 'cors_origins',
        label: 'Sites that may search',
        about: 'Origins, one per line; * allows any. Servers need no entry.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: 'https://shop.example.com' },
      },
      {
        path: 'identity',
        label: 'Visitor identity',
        about: '',
        fallback: 'from the page',
        control: {
          kind: 'choice',
          options: [
            {
              value: 'open',
              label: 'From the page',
              about: 'User ids of searches and events are accepted as they are.',
            },
            {
              value: 'signed',
              label: 'Signed by your server',
              about: 'User ids count only with a signature made with the signing secret.',
            },
          ],
        },
      },
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    about: 'How much of the service this store may use.',
    fields: [
      {
        path: 'quota.searches_per_month',
        label: 'Searches per month',
        about: 'Per calendar month (UTC). Once reached, searches fail until the next month.',
        fallback: 'no limit',
        control: { kind: 'number', min: 0, max: Number.MAX_SAFE_INTEGER },
      },
      {
        path: 'events.max_bytes_per_day',
        label: 'Events per day',
        about:
          'An event takes about 300 bytes. Once reached, events are refused until the next day.',
        fallback: '2,000,000,000 bytes',
        control: {
          kind: 'number',
          min: EVENT_BYTES_PER_DAY_MIN,
          max: EVENT_BYTES_PER_DAY_MAX,
          unit: 'bytes',
        },
      },
      {
        path: 'events.retention_days',
        label: 'Keep events for',
        about: 'Older events are deleted, and reports no longer cover those days.',
        fallback: '400 days',
        control: { kind: 'number', min: 1, max: EVENT_RETENTION_MAX_DAYS, unit: 'days' },
      },
      {
        path: 'cache.ttl_seconds',
        label: 'Cache responses for',
        about: 'For searches with cache_results. Any change to the store clears the cache.',
        fallback: '60 seconds',
        control: { kind: 'number', min: 1, max: CACHE_TTL_MAX_SECONDS, unit: 'seconds' },
      },
      {
        path: 'cache.max_bytes',
        label: 'Cache size',
        about: 'When full, the least recently used response is evicted. 0 turns the cache off.',
        fallback: '16,000,000 bytes',
        control: { kind: 'number', min: 0, max: CACHE_MAX_BYTES_MAX, unit: 'bytes' },
      },
    ],
  },
]

export const SETTING_FIELDS: readonly SettingField[] = SETTING_SECTIONS.flatMap(
  ({ fields }) => fields,
)
