import {
  CACHE_MAX_BYTES_MAX,
  CACHE_TTL_MAX_SECONDS,
  EVENT_BYTES_PER_DAY_MAX,
  EVENT_BYTES_PER_DAY_MIN,
  EVENT_RETENTION_MAX_DAYS,
  GROUP_LIMIT_MAX,
  TYPO_MAX,
  TYPO_MIN_LEN_MAX_CHARS,
} from '@aisle/contract/limits'

/** One setting as a control. */
export interface SettingField {
  /** `cache.ttl_seconds`, as in the API. */
  readonly path: string
  readonly label: string
  /** One sentence: what it does. */
  readonly about: string
  /** The behaviour when nothing is set, in words. */
  readonly fallback: string
  readonly control: SettingControl
}

export type SettingControl =
  | { readonly kind: 'language' }
  /** The name of a field of the schema. */
  | { readonly kind: 'field' }
  /** One of a few options, or the default. */
  | { readonly kind: 'options'; readonly options: readonly (readonly [unknown, string])[] }
  | { readonly kind: 'choice'; readonly options: readonly ChoiceOption[] }
  /** Texts, one a line. */
  | { readonly kind: 'lines'; readonly placeholder: string }
  | {
      readonly kind: 'number'
      readonly min: number
      readonly max: number
      readonly step?: number
      readonly unit?: string
    }

interface ChoiceOption {
  readonly value: string
  readonly label: string
  readonly about: string
}

export interface SettingSection {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly fields: readonly SettingField[]
}

const CARD_FIELDS = [
  ['title', 'Title', 'The name of a product.'],
  ['image', 'Picture', 'The address of its picture.'],
  ['url', 'Link', 'The address of its page in the shop.'],
  ['price', 'Price', 'A number.'],
  ['currency', 'Currency', 'A code of three letters, such as EUR.'],
  ['brand', 'Brand', 'Who makes it.'],
  ['category', 'Category', 'Where it stands in the shop.'],
] as const

const YES_OR_NO: SettingControl = {
  kind: 'options',
  options: [
    [true, 'Yes'],
    [false, 'No'],
  ],
}
const WORD_LENGTH: SettingControl = {
  kind: 'number',
  min: 1,
  max: TYPO_MIN_LEN_MAX_CHARS,
  unit: 'characters',
}

/** Every setting, by subject. A test compares it with the contract. */
export const SETTING_SECTIONS: readonly SettingSection[] = [
  {
    id: 'language',
    title: 'Language',
    about: 'How words of products and queries are taken apart and which forms of a word are one.',
    fields: [
      {
        path: 'language',
        label: 'Language of the products',
        about:
          'A change analyses all products anew in the background. Searches go on with the former language until it is done.',
        fallback: 'English',
        control: { kind: 'language' },
      },
      {
        path: 'symbols_to_index',
        label: 'Symbols that are part of words',
        about:
          'Characters, one a line. With +, a search for c++ shows it before C. A change analyses all products anew.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: '+\n#' },
      },
      {
        path: 'token_separators',
        label: 'Characters that separate words',
        about:
          'One a line. With /, AC/DC is two words, and not ACDC as well. A change analyses all products anew.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: '/' },
      },
    ],
  },
  {
    id: 'card',
    title: 'Product card',
    about:
      'Which fields of a product are its title, its picture, its price: in this dashboard, and for whoever shows search results.',
    fields: [
      ...CARD_FIELDS.map(([role, label, about]): SettingField => ({
        path: `product_card.${role}`,
        label,
        about,
        fallback: 'guessed by names and types of fields',
        control: { kind: 'field' },
      })),
      {
        path: 'product_card.metadata',
        label: 'Further fields',
        about: 'Names of fields, one a line, that a card shows below the others.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: 'color\nsize' },
      },
    ],
  },
  {
    id: 'ranking',
    title: 'Ranking',
    about:
      'For searches that say nothing about it themselves, nor by their preset. The relevance page shows what a change does before it is made.',
    fields: [
      {
        path: 'ranking.popularity_weight',
        label: 'Popularity',
        about:
          'How much clicks and purchases count, from 0 to 1: the score of a product grows by this share at most.',
        fallback: '0, not at all',
        control: { kind: 'number', min: 0, max: 1, step: 0.05 },
      },
      {
        path: 'ranking.min_relevance',
        label: 'Least relevance',
        about:
          'From 0 to 1. Products whose words say less than this share of what those of the best say are left out.',
        fallback: '0, nothing is left out',
        control: { kind: 'number', min: 0, max: 1, step: 0.05 },
      },
      {
        path: 'distinct.field',
        label: 'Variants',
        about: 'Of products with the same value of this field, searches show only the best.',
        fallback: 'all are shown',
        control: { kind: 'field' },
      },
      {
        path: 'distinct.limit',
        label: 'Variants shown',
        about: 'How many of them are shown.',
        fallback: '1',
        control: { kind: 'number', min: 1, max: GROUP_LIMIT_MAX },
      },
      {
        path: 'omit_fields',
        label: 'Hidden fields',
        about:
          'Fields that no visitor is shown, such as what a product costs you, one per line. They can still be searched and sorted by.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: 'cost' },
      },
      {
        path: 'ranking.accessories',
        label: 'Accessories',
        about:
          'Move them down: words count more in front of “for”, “with”, “compatible” or “fits” in a title than behind, so phones come before cases for phones.',
        fallback: 'as they come',
        control: {
          kind: 'options',
          options: [
            ['off', 'As they come'],
            ['down', 'Down'],
          ],
        },
      },
      {
        path: 'ranking.sort_by',
        label: 'Order',
        about:
          'One expression per line; the first decides first: price:asc, _text_match, _popularity.',
        fallback: 'by relevance',
        control: { kind: 'lines', placeholder: '_text_match\nprice:asc' },
      },
      {
        path: 'ranking.field_weights',
        label: 'Weights of fields',
        about:
          'One field per line, such as title: 5. A word in a field of weight 3 counts as three words in one of weight 1; other fields are not searched.',
        fallback: 'guessed by names of fields',
        control: { kind: 'lines', placeholder: 'title: 5\nbrand: 3' },
      },
    ],
  },
  {
    id: 'matching',
    title: 'Matching',
    about: 'Which words stand for which, for searches that do not say it themselves.',
    fields: [
      {
        path: 'ranking.typo_max',
        label: 'Typos in a word',
        about: 'How many are forgiven at most; 0 forgives none.',
        fallback: '2',
        control: { kind: 'number', min: 0, max: TYPO_MAX },
      },
      {
        path: 'ranking.typo_min_len_1',
        label: 'Length before one typo',
        about: 'Shorter words must be right.',
        fallback: '4 characters',
        control: WORD_LENGTH,
      },
      {
        path: 'ranking.typo_min_len_2',
        label: 'Length before two typos',
        about: 'Shorter words may have one.',
        fallback: '7 characters',
        control: WORD_LENGTH,
      },
      {
        path: 'ranking.typo_numbers',
        label: 'Typos in words with digits',
        about: 'Are forgiven too: model numbers differ by one digit.',
        fallback: 'no',
        control: YES_OR_NO,
      },
      {
        path: 'ranking.prefix_mode',
        label: 'The last word as a beginning',
        about: 'Finds trekking for trek while somebody types.',
        fallback: 'always',
        control: {
          kind: 'options',
          options: [
            ['always', 'Always'],
            ['fallback', 'When whole words find nothing'],
            ['off', 'Never'],
          ],
        },
      },
      {
        path: 'ranking.infix_mode',
        label: 'Words inside of words',
        about: 'Finds AB1234 for B123, below everything else.',
        fallback: 'never',
        control: {
          kind: 'options',
          options: [
            ['off', 'Never'],
            ['fallback', 'When nothing else stands for a word'],
            ['always', 'Always'],
          ],
        },
      },
      {
        path: 'ranking.require_all_terms',
        label: 'Require all words',
        about: 'Leaves out products that lack a word of the query, in any field.',
        fallback: 'while at least 10 products have them all',
        control: {
          kind: 'options',
          options: [
            ['auto', 'While at least 10 products have them all'],
            [true, 'Always'],
            [false, 'Never'],
          ],
        },
      },
      {
        path: 'ranking.exact_match_boost',
        label: 'Exact values first',
        about: 'A product with a value that is the query, word for word, stands first.',
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
    about: 'Which pages may search this store, and whom the service believes.',
    fields: [
      {
        path: 'cors_origins',
        label: 'Pages that may search',
        about:
          'Origins, one per line. Browsers of other pages are refused; * allows any. A server of the shop needs no entry.',
        fallback: 'none',
        control: { kind: 'lines', placeholder: 'https://shop.example.com' },
      },
      {
        path: 'identity',
        label: 'Who a visitor is',
        about: '',
        fallback: 'the page says it',
        control: {
          kind: 'choice',
          options: [
            {
              value: 'open',
              label: 'The page says it',
              about: 'A user id that comes with a search or an event is taken as it is.',
            },
            {
              value: 'signed',
              label: 'The server of the shop signs it',
              about: 'A user id counts only with a signature made of the signing secret.',
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
        label: 'Searches a month',
        about: 'Of a calendar month (UTC). Beyond it searches are refused until the next.',
        fallback: 'no limit',
        control: { kind: 'number', min: 0, max: Number.MAX_SAFE_INTEGER },
      },
      {
        path: 'events.max_bytes_per_day',
        label: 'Events a day',
        about: 'An event has about 300 bytes. Beyond it events are refused until the next day.',
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
        label: 'Events are kept',
        about: 'Older ones are removed, with what reports say of those days.',
        fallback: '400 days',
        control: { kind: 'number', min: 1, max: EVENT_RETENTION_MAX_DAYS, unit: 'days' },
      },
      {
        path: 'cache.ttl_seconds',
        label: 'Answers are repeated',
        about: 'How long, for searches with cache_results. A change of the store ends it at once.',
        fallback: '60 seconds',
        control: { kind: 'number', min: 1, max: CACHE_TTL_MAX_SECONDS, unit: 'seconds' },
      },
      {
        path: 'cache.max_bytes',
        label: 'Room for answers',
        about: 'When it is full, the least asked for goes first. 0 keeps none.',
        fallback: '16,000,000 bytes',
        control: { kind: 'number', min: 0, max: CACHE_MAX_BYTES_MAX, unit: 'bytes' },
      },
    ],
  },
]

export const SETTING_FIELDS: readonly SettingField[] = SETTING_SECTIONS.flatMap(
  ({ fields }) => fields,
)
