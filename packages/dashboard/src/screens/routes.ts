import {
  Activity,
  Archive,
  ArrowLeftRight,
  Ban,
  Braces,
  ChartLine,
  CircleUser,
  HeartPulse,
  KeyRound,
  LayoutDashboard,
  Package,
  Scale,
  ScrollText,
  Search,
  Settings,
  SlidersHorizontal,
  Store,
  Table2,
  TextSearch,
  Upload,
  Users,
  Wand,
} from 'lucide-react'
import { screen, type Screen } from './screen.ts'

/** Every screen, one line each: address, name, icon, chunk, and the lowest role that sees it. */

export interface ScreenGroup {
  /** Empty: without a heading. */
  readonly label: string
  readonly screens: readonly Screen[]
}

/** Below `/stores/ID/`. */
export const STORE_SCREENS: readonly ScreenGroup[] = [
  {
    label: '',
    screens: [
      screen(
        'overview',
        'Overview',
        LayoutDashboard,
        () => import('./overview/overview-screen.tsx'),
        'OverviewScreen',
      ),
    ],
  },
  {
    label: 'Search',
    screens: [
      screen(
        'preview',
        'Preview',
        Search,
        () => import('./preview/preview-screen.tsx'),
        'PreviewScreen',
      ),
      screen(
        'relevance',
        'Relevance',
        Scale,
        () => import('./relevance/relevance-screen.tsx'),
        'RelevanceScreen',
      ),
      screen('rules', 'Rules', Wand, () => import('./rules/rules-screen.tsx'), 'RulesScreen'),
      screen(
        'synonyms',
        'Synonyms',
        ArrowLeftRight,
        () => import('./synonyms/synonyms-screen.tsx'),
        'SynonymsScreen',
      ),
      screen(
        'stop-words',
        'Stop words',
        Ban,
        () => import('./stopwords/stopwords-screen.tsx'),
        'StopwordsScreen',
      ),
      screen(
        'presets',
        'Presets',
        SlidersHorizontal,
        () => import('./presets/presets-screen.tsx'),
        'PresetsScreen',
      ),
    ],
  },
  {
    label: 'Catalog',
    screens: [
      screen(
        'documents',
        'Documents',
        Package,
        () => import('./documents/documents-screen.tsx'),
        'DocumentsScreen',
      ),
      screen(
        'schema',
        'Schema',
        Table2,
        () => import('./schema/schema-screen.tsx'),
        'SchemaScreen',
      ),
      screen(
        'import',
        'Import',
        Upload,
        () => import('./import/import-screen.tsx'),
        'ImportScreen',
        'editor',
      ),
    ],
  },
  {
    label: 'Visitors',
    screens: [
      screen(
        'analytics',
        'Analytics',
        ChartLine,
        () => import('./analytics/analytics-screen.tsx'),
        'AnalyticsScreen',
      ),
      screen(
        'suggestions',
        'Suggestions',
        TextSearch,
        () => import('./suggestions/suggestions-screen.tsx'),
        'SuggestionsScreen',
      ),
      screen(
        'events',
        'Events',
        Activity,
        () => import('./events/events-screen.tsx'),
        'EventsScreen',
      ),
    ],
  },
  {
    label: 'Store',
    screens: [
      screen(
        'keys',
        'Keys',
        KeyRound,
        () => import('./keys/keys-screen.tsx'),
        'KeysScreen',
        'editor',
      ),
      screen(
        'settings',
        'Settings',
        Settings,
        () => import('./settings/settings-screen.tsx'),
        'SettingsScreen',
      ),
    ],
  },
]

/** Of the installation, below `/`. */
export const SERVICE_SCREENS: readonly Screen[] = [
  screen('stores', 'Stores', Store, () => import('./stores/stores-screen.tsx'), 'StoresScreen'),
  screen(
    'people',
    'People',
    Users,
    () => import('./people/people-screen.tsx'),
    'PeopleScreen',
    'owner',
  ),
  screen(
    'audit',
    'Audit',
    ScrollText,
    () => import('./audit/audit-screen.tsx'),
    'AuditScreen',
    'owner',
  ),
  screen(
    'service',
    'Health',
    HeartPulse,
    () => import('./health/health-screen.tsx'),
    'HealthScreen',
  ),
  screen(
    'snapshots',
    'Snapshots',
    Archive,
    () => import('./snapshots/snapshots-screen.tsx'),
    'SnapshotsScreen',
    'owner',
  ),
]

/** Reached from the foot of the rail. */
export const FOOT_SCREENS: readonly Screen[] = [
  screen(
    'account',
    'Your account',
    CircleUser,
    () => import('./account/account-screen.tsx'),
    'AccountScreen',
  ),
  screen(
    'explorer',
    'API explorer',
    Braces,
    () => import('./explorer/explorer-screen.tsx'),
    'ExplorerScreen',
  ),
]
