// How tense a scene is: an estimate by rules, from how things are said. The log has none of its own.

/** Tones by how strained they are. @type {Record<string, number>} */
const STRAIN = {
  angry: 1, furious: 1, hostile: 1, bitter: 0.85, cold: 0.8, defiant: 0.85, accusing: 0.9, frustrated: 0.8, sharp: 0.8, stern: 0.7, defensive: 0.7,
  desperate: 0.9, tense: 0.75, hurt: 0.7, afraid: 0.8, nervous: 0.6, anxious: 0.65, uneasy: 0.55, worried: 0.6, sarcastic: 0.7, guarded: 0.55,
  sad: 0.5, tired: 0.4, sincere: 0.35, quiet: 0.35, firm: 0.5, neutral: 0.35, thoughtful: 0.3, calm: 0.2, relieved: 0.12, warm: 0.1, kind: 0.1,
  gentle: 0.15, happy: 0.05, grateful: 0.1,
};
const USUAL = 0.4;
/** Where every scene begins, how much of a beat's tension the next one keeps, and what an interruption adds. */
const [BEGINNING, KEPT, CUT] = [0.3, 0.45, 0.2];

/** @param {string | undefined} tone */
export const strain = (tone) => STRAIN[tone ?? ""] ?? USUAL;

/** From 0 to 1 for each beat. @param {{ beat: number, cuts: number, strain: number, tones: number }[]} beats */
export function tension(beats) {
  let now = BEGINNING;
  return beats.map(({ beat, cuts, strain, tones }) => {
    if (tones) now = KEPT * now + (1 - KEPT) * Math.min(1, strain / tones + CUT * cuts);
    return { x: beat, y: now };
  });
}
