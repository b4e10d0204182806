import {
  Activity,
  Archive,
  ArrowLeftRight,
  Ban,
  Braces,
  ChartLine,
  CircleUser,
  FlaskConical,
  FolderTree,
  HeartPulse,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListChecks,
  Package,
  Rss,
  Scale,
  ScrollText,
  Search,
  SearchX,
  Settings,
  SlidersHorizontal,
  Store,
  Table2,
  TextSearch,
  Upload,
  Users,
  Wand,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Role } from '../session/session.ts'
import type { Screen, Screens } from '../shell/screen.ts'
import { beginWithFields } from '../parts/store-queries.ts'
import { beginDocuments } from './documents/document-request.ts'
import { beginOverview } from './overview/overview-queries.ts'
import { chunk } from '../ui/chunk.tsx'

/** The chunks of the screens. */
const overview = async () => (await import('./overview/overview-screen.tsx')).OverviewScreen
const preview = async () => (await import('./preview/preview-screen.tsx')).PreviewScreen
const missed = async () => (await import('./missed/missed-screen.tsx')).MissedScreen
const relevance = async () => (await import('./relevance/relevance-screen.tsx')).RelevanceScreen
const experiments = async () =>
  (await import('./experiments/experiments-screen.tsx')).ExperimentsScreen
const rules = async () => (await import('./rules/rules-screen.tsx')).RulesScreen
const categories = async () => (await import('./rules/categories-screen.tsx')).CategoriesScreen
const synonyms = async () => (await import('./synonyms/synonyms-screen.tsx')).SynonymsScreen
const stopwords = async () => (await import('./stopwords/stopwords-screen.tsx')).StopwordsScreen
const presets = async () => (await import('./presets/presets-screen.tsx')).PresetsScreen
const facets = async () => (await import('./facets/facets-screen.tsx')).FacetsScreen
const collections = async () =>
  (await import('./collections/collections-screen.tsx')).CollectionsScreen
const documents = async () => (await import('./documents/documents-screen.tsx')).DocumentsScreen
const schema = async () => (await import('./schema/schema-screen.tsx')).SchemaScreen
const imports = async () => (await import('./import/import-screen.tsx')).ImportScreen
const sources = async () => (await import('./sources/sources-screen.tsx')).SourcesScreen
const analytics = async () => (await import('./analytics/analytics-screen.tsx')).AnalyticsScreen
const suggestions = async () =>
  (await import('./suggestions/suggestions-screen.tsx')).SuggestionsScreen
const events = async () => (await import('./events/events-screen.tsx')).EventsScreen
const keys = async () => (await import('./keys/keys-screen.tsx')).KeysScreen
const settings = async () => (await import('./settings/settings-screen.tsx')).SettingsScreen
const stores = async () => (await import('./stores/stores-screen.tsx')).StoresScreen
const people = async () => (await import('./people/people-screen.tsx')).PeopleScreen
const audit = async () => (await import('./audit/audit-screen.tsx')).AuditScreen
const health = async () => (await import('./health/health-screen.tsx')).HealthScreen
const snapshots = async () => (await import('./snapshots/snapshots-screen.tsx')).SnapshotsScreen
const account = async () => (await import('./account/account-screen.tsx')).AccountScreen
const explorer = async () => (await import('./explorer/explorer-screen.tsx')).ExplorerScreen
const firstRun = async () => (await import('./first-run/first-run-screen.tsx')).FirstRunScreen
const reference = async () => (await import('./reference/reference-screen.tsx')).ReferenceScreen

/** Every screen: address, name, icon, its chunk, and the lowest role that sees it. */
export const SCREENS: Screens = {
  store: [
    {
      label: '',
      screens: [
        screen('overview', 'Overview', LayoutDashboard, overview, 'analyst', beginOverview),
      ],
    },
    {
      label: 'Search',
      screens: [
        screen('preview', 'Preview', Search, preview, 'analyst', beginWithFields),
        screen('missed-searches', 'Missed searches', SearchX, missed),
        screen('relevance', 'Relevance', Scale, relevance, 'analyst', beginWithFields),
        screen('experiments', 'Experiments', FlaskConical, experiments, 'analyst', beginWithFields),
        screen('rules', 'Rules', Wand, rules, 'analyst', beginWithFields),
        screen('categories', 'Categories', FolderTree, categories, 'analyst', beginWithFields),
        screen('synonyms', 'Synonyms', ArrowLeftRight, synonyms),
        screen('stop-words', 'Stop words', Ban, stopwords),
        screen('facets', 'Facets', ListChecks, facets, 'analyst', beginWithFields),
        screen('presets', 'Presets', SlidersHorizontal, presets),
      ],
    },
    {
      label: 'Catalog',
      screens: [
        screen('documents', 'Products', Package, documents, 'analyst', beginDocuments),
        screen('collections', 'Collections', Layers, collections),
        screen('schema', 'Schema', Table2, schema),
        screen('import', 'Import', Upload, imports, 'editor'),
        screen('sources', 'Sources', Rss, sources, 'editor'),
      ],
    },
    {
      label: 'Visitors',
      screens: [
        screen('analytics', 'Analytics', ChartLine, analytics),
        screen('suggestions', 'Suggestions', TextSearch, suggestions),
        screen('events', 'Events', Activity, events),
      ],
    },
    {
      label: 'Store',
      screens: [
        screen('keys', 'Keys', KeyRound, keys, 'editor'),
        screen('settings', 'Settings', Settings, settings, 'analyst', beginWithFields),
      ],
    },
  ],
  service: [
    screen('stores', 'Stores', Store, stores, 'member'),
    screen('people', 'People', Users, people, 'owner'),
    screen('audit', 'Audit', ScrollText, audit, 'owner'),
    screen('service', 'Health', HeartPulse, health),
    screen('snapshots', 'Snapshots', Archive, snapshots, 'owner'),
  ],
  foot: [
    screen('account', 'Your account', CircleUser, account, 'member'),
    screen('explorer', 'API explorer', Braces, explorer, 'member'),
  ],
  open: { '/first-run': chunk(firstRun), '/docs/api': chunk(reference) },
}

function screen(
  path: string,
  label: string,
  icon: LucideIcon,
  load: () => Promise<ComponentType>,
  role: Role = 'analyst',
  begin?: Screen['begin'],
): Screen {
  return { path, label, icon, role, component: chunk(load), begin }
}
