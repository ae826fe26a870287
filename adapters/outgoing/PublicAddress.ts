/** Which addresses are public: those that the IANA registries of special-purpose addresses do not reserve. */
import { BlockList, isIP } from "node:net";

/** IPv4 ranges that no public host has. */
const RESERVED: ReadonlyArray<readonly [string, number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Global unicast of IPv6; every other range, addresses that stand for IPv4 ones included, is not public. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");

/** Ranges within global unicast that are reserved or that lead to an IPv4 address. */
const RESERVED_GLOBAL: ReadonlyArray<readonly [string, number]> = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

const reserved = new BlockList();
for (const [network, prefix] of RESERVED) reserved.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of RESERVED_GLOBAL) reserved.addSubnet(network, prefix, "ipv6");

/** True if a text is an IP address that a public host may have. */
export const isPublic = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, "ipv4");
    case 6:
      return GLOBAL.check(address, "ipv6") && !reserved.check(address, "ipv6");
    default:
      return false;
  }
};
