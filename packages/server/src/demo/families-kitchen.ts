import { family } from './family.ts'
import type { Family } from './family.ts'

/** Cooking, baking, coffee and the table. */
export const KITCHEN_FAMILIES: readonly Family[] = [
  family({
    noun: 'Frying Pan',
    path: 'Home > Kitchen > Cookware',
    prefix: 'FP',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'pan',
    price: [24, 179],
    kinds: 'Non-Stick, Ceramic, Carbon-Steel, Cast-Iron, Copper, Tri-Ply',
    materials: 'cast iron, carbon steel, stainless steel, hand-hammered copper, forged aluminium',
    measures: '20 cm, 24 cm, 26 cm, 28 cm, 30 cm',
    sentences: `
      For all hobs, induction as well, and for the oven up to 260 degrees.
      Browns evenly from the middle to the edge.
      The handle stays cool and is riveted, not screwed.
      Comes seasoned with flax oil; fry, wipe, hang up.`,
    tags: 'cooking, induction, dishwasher safe',
  }),
  family({
    noun: 'Casserole',
    path: 'Home > Kitchen > Cookware',
    prefix: 'CA',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'pan',
    price: [39, 329],
    kinds: 'Steel, Shallow, Oval, Enamelled, Enamelled Cast-Iron',
    materials: 'enamelled cast iron, stainless steel, stoneware',
    measures: '2 l, 3.5 l, 5 l, 7 l',
    sentences: `
      From the hob to the oven to the table.
      The heavy lid returns the steam, so that a stew bastes itself.
      Enamel inside and out, nothing to season.
      Bakes a very good loaf of bread.`,
    tags: 'cooking, stew, baking, induction',
  }),
  family({
    noun: "Chef's Knife",
    path: 'Home > Kitchen > Knives',
    prefix: 'KN',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'knife',
    price: [25, 249],
    kinds: 'Everyday, Serrated, Santoku, Forged, Damascus, Hand-Forged',
    materials: 'stainless steel, high-carbon steel, damascus steel with 67 layers',
    measures: '13 cm, 16 cm, 18 cm, 20 cm, 24 cm',
    sentences: `
      Ground by hand to an angle of 15 degrees, and sharp out of the box.
      A full tang and a handle of walnut balance it at the bolster.
      Slices a tomato under its own weight.
      Please keep it out of the dishwasher.`,
    tags: 'cooking, sharp, gift',
  }),
  family({
    noun: 'Chopping Board',
    path: 'Home > Kitchen > Knives',
    prefix: 'CH',
    trade: 'kitchen',
    palette: 'wood',
    picture: 'board',
    price: [14, 129],
    kinds: 'Plain, Juice-Groove, End-Grain, Double-Sided, Butcher Block',
    materials: 'oak, walnut, beech, bamboo, recycled paper and resin',
    measures: '30 cm, 40 cm, 50 cm',
    sentences: `
      Oiled by hand, and kind to blades.
      A groove all round catches what runs.
      Rubber feet hold it where you put it.`,
    tags: 'cooking, wood, gift',
  }),
  family({
    noun: 'Coffee Maker',
    path: 'Home > Kitchen > Coffee & Tea',
    prefix: 'CM',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'cup',
    price: [19, 299],
    kinds: 'Pour-Over, Moka Pot, French Press, Cold-Brew, Filter, Espresso',
    materials: 'borosilicate glass, stainless steel, food-grade aluminium',
    measures: '2 cups, 4 cups, 6 cups, 8 cups',
    sentences: `
      A fine steel filter: full taste, no paper.
      Keeps the pot warm for an hour.
      Comes apart in seconds and cleans in a minute.
      A wooden collar keeps your fingers cool.`,
    tags: 'coffee, breakfast, gift',
  }),
  family({
    noun: 'Kettle',
    path: 'Home > Kitchen > Coffee & Tea',
    prefix: 'KT',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'cup',
    price: [29, 179],
    kinds: 'Whistling, Electric, Gooseneck, Glass Electric, Temperature-Control',
    materials: 'stainless steel, borosilicate glass, enamelled steel',
    measures: '0.8 l, 1.2 l, 1.7 l',
    sentences: `
      Boils a litre in three minutes and turns itself off.
      The gooseneck pours as slowly as you like.
      Five temperatures, from green tea to coffee.`,
    tags: 'tea, coffee, breakfast',
  }),
  family({
    noun: 'Mug',
    path: 'Home > Kitchen > Tableware',
    prefix: 'MG',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'cup',
    price: [8, 39],
    kinds: 'Everyday, Stacking, Enamel, Stoneware, Hand-Thrown, Travel',
    materials: 'stoneware, porcelain, enamelled steel, double-walled glass',
    measures: '200 ml, 300 ml, 400 ml',
    sentences: `
      Glazed by hand, so no two are the same.
      A handle with room for three fingers.
      Safe in the microwave and in the dishwasher.`,
    tags: 'coffee, tea, gift',
  }),
  family({
    noun: 'Dinner Plates',
    path: 'Home > Kitchen > Tableware',
    prefix: 'PL',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'wheel',
    price: [19, 119],
    kinds: 'Set of 2, Set of 4, Set of 6, Speckled Set of 4, Hand-Painted Set of 4',
    materials: 'stoneware, bone china, recycled glass, porcelain',
    measures: '21 cm, 25 cm, 28 cm',
    sentences: `
      Fired twice, so that knives leave no marks.
      Stacks well and warms well.
      Pieces can be bought one by one later on.`,
    tags: 'table, dishwasher safe',
  }),
  family({
    noun: 'Mixing Bowls',
    path: 'Home > Kitchen > Baking',
    prefix: 'MB',
    trade: 'kitchen',
    palette: 'kitchen',
    picture: 'pot',
    price: [15, 89],
    kinds: 'Nesting, Glass, Steel, Lidded, Stoneware',
    materials: 'stainless steel, borosilicate glass, stoneware, melamine',
    measures: 'set of 3, set of 4, set of 5',
    sentences: `
      A spout on one side, a grip on the other.
      They nest to the space of the largest.
      Silicone at the base keeps them still under a whisk.`,
    tags: 'baking, cooking, storage',
  }),
  family({
    noun: 'Storage Jars',
    path: 'Home > Kitchen > Storage',
    prefix: 'SJ',
    trade: 'kitchen',
    palette: 'wood',
    picture: 'bottle',
    price: [12, 79],
    kinds: 'Clip-Top, Cork-Lid, Stackable, Bamboo-Lid, Ceramic',
    materials: 'recycled glass, borosilicate glass and bamboo, stoneware',
    measures: '0.5 l, 1 l, 1.5 l',
    sentences: `
      Airtight: coffee, flour and biscuits keep as long as they should.
      A set of three, with labels to write on.
      Wide enough for a hand and a scoop.`,
    tags: 'pantry, storage, airtight',
  }),
  family({
    noun: 'Apron',
    path: 'Home > Kitchen > Textiles',
    prefix: 'AP',
    trade: 'living',
    palette: 'living',
    picture: 'shirt',
    price: [19, 79],
    kinds: `Kids', Bib, Cross-Back, Denim, Linen`,
    materials: 'washed linen, organic cotton, denim',
    sentences: `
      Long ties go round and close in front.
      A pocket for the thermometer and one for the telephone.
      Softer with every wash.`,
    tags: 'cooking, baking, gift',
  }),
]
