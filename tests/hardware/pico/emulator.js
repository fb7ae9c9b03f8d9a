/* A Raspberry Pi Pico in an emulator, with a circuit around it: node emulator.js FIRMWARE.uf2 CIRCUIT.json

   It takes the commands of hardware/firmware/sim/script.c on standard input, and answers as that does. Its line is
   USB: what the host of the emulator receives. Besides:

     hang         the processor is stuck in a loop, until the watchdog starts it anew; prints `at US`
     baud NUMBER  a program sets the speed of the serial port

   CIRCUIT.json has the numbers of the pins: rows and columns; or shift (load, clock, data) and registers; or
   select, enable and adc; and lamps. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { BasePeripheral, ConsoleLogger, GPIOPinState, LogLevel, RP2040, USBCDC } from "rp2040js";
import { circuitOf } from "./circuit.js";

const FLASH = 0x10000000;
const CYCLE_NS = 8; // 125 MHz
const SET_LINE_CODING = 0x20;
const RECORD = 512;
const LOOP_FOR_EVER = 0xe7fe; // an instruction that jumps to itself

/* The mask ROM is not in the emulator. Firmware looks functions up in it by two letters: each is a breakpoint here,
   at which JavaScript does what the function does. */
const ROM = { lookup: 0x100, functions: 0x200, table: 0x40 };
const ROM_CALLS = {
  IF: () => {}, // connect flash, leave and enter its execution in place: the emulated flash needs none of it
  EX: () => {},
  FC: () => {},
  CX: () => {},
  UB: () => {
    say("boot loader");
  },
};
const ROM_ROUTINES = 64;
const romNames = []; // of the functions that were looked up, in the order of their routines

const BKPT = 0xbe00;
const BX_LR = 0x4770;
const HAD_POWER_ON = 1 << 8;

/* The emulator has nothing there: the cause of a start is the power. */
class PowerOn extends BasePeripheral {
  readUint32(offset) {
    return offset === 8 ? HAD_POWER_ON : 0;
  }
}

let mcu;
let usb;
let host;
let lamps;
const sent = [];
const starts = { reason: 0, scratch: null };

function say(line) {
  process.stdout.write(`${line}\n`);
}

function romWords() {
  const bytes = new DataView(new ArrayBuffer(16384));
  const routine = (at, call) => {
    bytes.setUint16(at, BKPT | call, true);
    bytes.setUint16(at + 2, BX_LR, true);
  };
  bytes.setUint32(0, 0x20041f00, true); // the stack of the boot loader
  bytes.setUint16(0x14, ROM.table, true);
  bytes.setUint16(0x18, ROM.lookup | 1, true);
  routine(ROM.lookup, 0);
  for (let i = 0; i < ROM_ROUTINES; i++) {
    routine(ROM.functions + 4 * i, i + 1);
  }
  return new Uint32Array(bytes.buffer);
}

function onBreak(call) {
  const registers = mcu.core.registers;
  if (mcu.core.PC >= ROM.functions + 4 * ROM_ROUTINES) {
    throw new Error(`the firmware has given up at ${mcu.core.PC.toString(16)}`);
  }
  if (call > 0) {
    const does = ROM_CALLS[romNames[call - 1]];
    if (!does) {
      throw new Error(`the firmware calls ${romNames[call - 1]} in the ROM`);
    }
    does();
    return;
  }
  const name = String.fromCharCode(registers[1] & 0xff, (registers[1] >> 8) & 0xff);
  if (!romNames.includes(name)) {
    romNames.push(name);
  }
  registers[0] = (ROM.functions + 4 * romNames.indexOf(name)) | 1;
}

function writeFlash(uf2) {
  for (let at = 0; at < uf2.length; at += RECORD) {
    const address = uf2.readUInt32LE(at + 12);
    const size = uf2.readUInt32LE(at + 16);
    mcu.flash.set(uf2.subarray(at + 32, at + 32 + size), address - FLASH);
  }
}

/* Frames are between zeros. */
const frame = [];
function noteSent(bytes) {
  for (const byte of bytes) {
    if (byte !== 0) {
      frame.push(byte);
    } else if (frame.length > 0) {
      sent.push({ us: Math.floor(mcu.clock.nanos / 1000), hex: Buffer.from(frame.splice(0)).toString("hex") });
    }
  }
}

function start(uf2, circuit) {
  const previous = mcu;
  mcu = new RP2040();
  mcu.logger = new ConsoleLogger(LogLevel.Error, false);
  mcu.loadBootrom(romWords());
  mcu.onBreak = onBreak;
  writeFlash(uf2);
  if (previous) {
    mcu.clock.tick(previous.clock.nanos);
  }
  mcu.peripherals[0x40064] = new PowerOn(mcu, "VREG_AND_CHIP_RESET");
  const watchdog = mcu.peripherals[0x40058];
  watchdog.reason = starts.reason;
  if (starts.scratch) {
    watchdog.scratchData.set(starts.scratch);
  }
  watchdog.onWatchdogTrigger = () => {
    watchdog.alarm.enable = false; // or it comes again and again while no time passes
    starts.reason = 1;
    starts.scratch = watchdog.scratchData.slice();
    restart = true;
  };
  usb = mcu.usbCtrl;
  host = new USBCDC(usb);
  host.onSerialData = noteSent;
  mcu.pio[0].run = () => {};
  lamps = watchLamps(circuit.lamps);
  circuit.connect(mcu);
  mcu.core.PC = FLASH;
}

let restart = false;

function run(untilNs, uf2, circuit) {
  while (mcu.clock.nanos < untilNs) {
    if (restart) {
      restart = false;
      start(uf2, circuit);
    }
    const pulsing = isPulsing();
    if (!mcu.core.waiting) {
      mcu.clock.tick(mcu.core.executeInstruction() * CYCLE_NS);
    } else if (pulsing) {
      mcu.clock.tick(CYCLE_NS);
    } else {
      const next = mcu.clock.nanosToNextAlarm || CYCLE_NS;
      mcu.clock.tick(Math.min(next, untilNs - mcu.clock.nanos));
    }
    pulse(pulsing);
  }
}

/* The emulator runs a state machine of the PIO in its spare time. Here it keeps to the clock: while it has something to
   do, it takes a step each so many cycles, as its divider and the instruction's delay say. */
let nextPulse = 0;

function isPulsing() {
  const [machine] = mcu.pio[0].machines;
  return machine.enabled && !(machine.waiting && machine.txFIFO.empty);
}

function pulse(pulsing) {
  const now = mcu.clock.nanos;
  if (!pulsing) {
    nextPulse = now;
    return;
  }
  const [machine] = mcu.pio[0].machines;
  const period = (machine.clockDivInt + machine.clockDivFrac / 256) * CYCLE_NS;
  while (nextPulse <= now) {
    const before = machine.cycles;
    mcu.pio[0].step();
    nextPulse += Math.max(1, machine.cycles - before) * period;
  }
}

/* The length of a pulse is its bit, a long pause shows what came. */
function watchLamps(number) {
  const seen = { coming: [], shown: [], rose: 0, fell: 0 };
  mcu.gpio[number].addListener((state) => {
    const now = mcu.clock.nanos;
    if (state === GPIOPinState.High) {
      if (now - seen.fell > 50_000) {
        seen.coming = [];
      }
      seen.rose = now;
    } else if (state === GPIOPinState.Low) {
      seen.coming.push(now - seen.rose > 600 ? 1 : 0);
      seen.fell = now;
      seen.shown = seen.coming;
    }
  });
  return seen;
}

function lampBytes() {
  const bits = lamps.shown;
  const bytes = [];
  for (let at = 0; at + 8 <= bits.length; at += 8) {
    bytes.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  }
  return Buffer.from(bytes).toString("hex");
}

/* The host sets speed and form of the serial port, as a program does that opens it. */
function setBaud(baud) {
  const coding = new Uint8Array(7);
  new DataView(coding.buffer).setUint32(0, baud, true);
  coding[6] = 8;
  const readBefore = usb.onEndpointRead;
  usb.onEndpointRead = (endpoint, size) => {
    if (endpoint !== 0) {
      readBefore(endpoint, size);
    } else {
      usb.onEndpointRead = readBefore;
      usb.endpointReadDone(0, coding.slice(0, size));
    }
  };
  usb.sendSetupPacket(new Uint8Array([0x21, SET_LINE_CODING, 0, 0, 0, 0, 7, 0]));
}

function hang() {
  const at = mcu.core.PC;
  if (at >= 0x20000000) {
    mcu.sramView.setUint16(at - 0x20000000, LOOP_FOR_EVER, true);
  } else {
    throw new Error("the firmware is not in memory");
  }
  mcu.core.waiting = false;
}

function report() {
  for (const { us, hex } of sent.splice(0)) {
    say(`out ${us} ${hex}`);
  }
  say(`at ${Math.floor(mcu.clock.nanos / 1000)}`);
}

async function main(image, circuitFile) {
  const uf2 = readFileSync(image);
  const circuit = circuitOf(JSON.parse(readFileSync(circuitFile, "utf8")));
  start(uf2, circuit);
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, ...words] = line.trim().split(" ");
    const numbers = words.map(Number);
    if (verb === "advance") {
      run(mcu.clock.nanos + numbers[0] * 1e6, uf2, circuit);
      report();
    } else if (verb === "in") {
      for (const byte of Buffer.from(words[0], "hex")) {
        host.sendSerialByte(byte);
      }
    } else if (verb === "set") {
      circuit.set(...numbers);
    } else if (verb === "bridge") {
      circuit.bridge(...numbers);
    } else if (verb === "show") {
      say(`lamps ${lampBytes()}`);
    } else if (verb === "hang") {
      hang();
      report();
    } else if (verb === "baud") {
      setBaud(numbers[0]);
    } else {
      throw new Error(`not understood: ${line}`);
    }
  }
}

await main(process.argv[2], process.argv[3]);
