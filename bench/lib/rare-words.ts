/**
 * Words of the real queries that 10 to 60 of the 1,000,000 documents have, and at least one of the
 * first 100,000. Reading their postings costs next to nothing, so searching for them shows the
 * fixed cost of a search.
 */
const WORDS = `
  sidelight subfloor onespace duro celin calk poinsettia spikey dovetail nitrogen funko
  handicap luminaire wheatland elastomeric sandler towable armaflex bollard pendent stirrer
  lumina weeder rosin rebar cusion chromecast outdoorlounge stainles flor fernco spicewood
  belgium stainer ashfield bonnie accesories fatmax hoes barbque blum chargril kerosene
  portman shabby woodstoves byfold fremont chome modi erosion accordian weall discon vanes
  verital essick throwaway housewares accesory baguette nailgun cascadia wonderboard aligator
  ferrule grafton emoji econo gilmore seperates timberline mirros easylight radon cottontail
  concetto peat dawson colerful sawn lease abba ream batties polaris kolpin twigz lancaster
  vaccum fastback remnant carburetor mirr autism oganizers alcove mister varnish saratoga
  wallhugger policarbonate thinset fogless charley weldwood conner heron airblown beadboard
  ligh zinsco firex penthouse masticating adora acculamp portland kingsley duramax beachwood
  wickerware burial metallicpaint commerical pendents westminster weatherside lounger shelv
  aussie finethread weasel windward prom macerating stell saftey sledge weslock cuter bosetti
  schock forklift insecticide aquadica citronella plata promo childproof filer bathroomvanity
  barenbrug toto limestone rafael bibb gril handel plygem angora atrium unframed saniflo nanny
  mosiac asiatic florentine woodpeckers overcast corian grandview ajustable arsenic tootls
  fieldstone dynaflex deerfield soffit jacobs ethanol hummingbird zucchini excavator shelve
  controlle maid fein reacher insulted mattock knocker europa thimble
`

/** Pairs of rare words. */
export function rareQueries(): string[] {
  const words = WORDS.trim().split(/\s+/)
  return words.map((word, i) => `${word} ${words[(i + 1) % words.length]}`)
}
