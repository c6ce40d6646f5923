import type { DiscoveryPorts } from '../ports.ts';
import type { Source } from '../sources.ts';
import { configDiscovery } from './config-discovery.ts';
import { envScanner } from './env-scanner.ts';
import { integrationPoints } from './integration-points.ts';
import { createProbeContext, type Probe, type ProbeOptions } from './probe.ts';

/** Every probe, in the order people see them. */
const probes: readonly Probe[] = [envScanner, configDiscovery, integrationPoints];

/** The probes as sources of one scan. `timeoutOf` gives each one's time limit. */
export const probeSources = (
  ports: DiscoveryPorts,
  options: ProbeOptions,
  timeoutOf: (name: string) => number,
): readonly Source[] =>
  probes.map((probe) => ({
    name: probe.name,
    timeoutMs: timeoutOf(probe.name),
    find: async (place) => ({ findings: await probe.find(createProbeContext(ports, place, options)) }),
  }));
