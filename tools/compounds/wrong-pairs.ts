/**
 * By list: pairs `word<compound` whose longer word is not a kind of the shorter one, or only
 * historically. Judged by hand.
 */
export const WRONG_PAIRS: Readonly<Record<string, string>> = {
  german:
    'holz<nudelholz meter<multimeter gold<rosegold ring<herring ring<heringe ring<wringer band<armband band<verband ' +
    'band<einband band<freundschaftsarmband helm<wilhelm gabel<federgabel reise<milchreis reise<jasminreis reise<preis leise<waffeleisen ' +
    'funktionen<multifunktion schal<hartschale schal<marschal schal<muslischale schal<feuerschale messer<spannungsmesser messer<durchmesser ' +
    'schlag<tischtennisschlager schlag<badmintonschlager schlag<golfschlager schlag<baseballschlager locken<messerblock creme<eiscreme ' +
    'maus<fledermaus halter<bustenhalter brille<toilettenbrille brille<klobrille leiter<blitzableiter bank<powerbank sack<rucksack ' +
    'sack<wanderrucksack sack<laptoprucksack sack<kinderrucksack sack<trekkingrucksack stift<lippenstift leinen<klein ' +
    'schuhe<handschuhe schuhe<arbeitshandschuhe schuhe<boxhandschuhe schuhe<skihandschuhe schuhe<gartenhandschuhe ohne<drohne ohne<bohnen ' +
    'tisch<fantastisches tisch<asthetischer tisch<elastisches tisch<magnetisch tisch<automatisch tisch<antistatisch spiel<beispiel ' +
    'wein<wildschwein wein<schwein wein<sparschwein lampe<schlampe schlampe<tischlampe schlampe<schreibtischlampe schlampe<nachttischlampe ' +
    'tomaten<automaten tomaten<automatik tomaten<vollautomat tomaten<automatisch tomaten<absenkautomatik heringe<ehering schere<asthetischer ' +
    'ionen<funktionen stecker<besteck stecker<grillbesteck stecker<kinderbesteck assam<grassamen linie<alinie rock<trocken rock<barock ' +
    'leinen<hundeleine leinen<wascheleine leinen<schleppleine matte<automatte matte<seidenmatt schal<glasschale schal<obstschale schirm<bildschirm',
  dutch: 'schoenen<handschoenen schoenen<werkhandschoenen band<armband band<verband ring<haring',
  swedish: 'kok<vattenkokare band<armband band<forband kol<skola',
  finnish: '',
  korean:
    '가지<나뭇가지 가지<바가지 국어<한국어 국어<중국어 국어사전<한국어사전 동화<운동화 라면<신라면',
}
