import { gauge, Stack, startInterval, total, totals, type ClientAddresses } from '@tautan/kit';
import type { RoleDeps } from '../../roles.js';
import { Places } from './places.js';
import { ClickPublisher } from './publisher.js';
import { ClickRecorder, type RawClick } from './recorder.js';
import { DailySalts } from './salts.js';
import { SpillFolder } from './spill-folder.js';
import { Spill } from './spill.js';

/** A running click recorder. */
export interface Clicks {
  /** Records a click. */
  record: (click: RawClick) => void;
  /** Flushes, waits a limited time for acknowledgements, and leaves the rest on disk. */
  stop(): Promise<void>;
}

const TOUCH_EVERY_MS = 15_000;

/** Starts recording clicks: batches are published to the stream, and spilled to disk if necessary. */
export async function startClicks(deps: RoleDeps, clients: ClientAddresses): Promise<Clicks> {
  const { config, bus, log, registry } = deps;
  const stack = new Stack(log);
  const places = await Places.open(config.CITY_DATABASE);
  const salts = stack.add('salts', await DailySalts.start(deps), async (it) => it.stop());
  const folder = await SpillFolder.claim(config.SPILL_DIR);
  const spill = new Spill(folder, log);
  const adopt = (): Promise<void> => folder.adopt((path) => spill.addAdoptedFile(path));
  await adopt();
  const publisher = new ClickPublisher(bus, spill, log);
  // At most half of the drain timeout: the other components need time to stop as well.
  stack.add('publisher', publisher, (it) => it.stop(config.DRAIN_TIMEOUT_MS / 2));
  const recorder = new ClickRecorder({
    clients,
    places,
    salts,
    flushMs: config.CLICK_FLUSH_MS,
    flushMax: config.CLICK_FLUSH_MAX,
    submit: (batch) => publisher.submit(batch),
    onDefect: (error) => log.error({ err: error }, 'a click could not be recorded'),
  });
  stack.add('recorder', recorder, async (it) => it.flush());
  const maintain = async (): Promise<void> => {
    await folder.touch();
    await adopt();
  };
  const options = { name: 'spill maintenance', everyMs: TOUCH_EVERY_MS, ready: () => true, log };
  stack.add(options.name, startInterval(maintain, options), (it) => it.stop());

  totals(registry, 'tautan_clicks_recorded_total', 'Clicks recorded', 'verdict', () => recorder.recorded);
  total(
    registry,
    'tautan_clicks_published_total',
    'Clicks acknowledged by the stream',
    () => publisher.publishedClicks,
  );
  total(
    registry,
    'tautan_clicks_spilled_total',
    'Clicks written to disk because the stream did not acknowledge them immediately',
    () => spill.spilledClicks,
  );
  total(
    registry,
    'tautan_clicks_dropped_total',
    'Clicks lost because neither the stream nor the disk accepted them, or because they could not be encoded',
    () => publisher.lostClicks + recorder.defective,
  );
  totals(
    registry,
    'tautan_click_spill_defective_files_total',
    'Spill files set aside, by reason',
    'reason',
    () => spill.defective,
  );
  gauge(
    registry,
    'tautan_click_batches_pending',
    'Batches of clicks in memory that the stream has not acknowledged yet',
    () => publisher.pending,
  );
  gauge(registry, 'tautan_click_spill_files', 'Spill files on disk', () => spill.segments);
  return { record: (click) => recorder.record(click), stop: () => stack.stop() };
}
