/* What is wired to the Pico's pins, as sim/circuit.c has it: a matrix, shift registers or multiplexers. */
import { GPIOPinState } from "rp2040js";

const REST = 2048;

class Matrix {
  constructor({ rows, columns, lamps }) {
    Object.assign(this, { rows, columns, lamps, closed: new Set(), bridged: new Set() });
  }

  connect(mcu) {
    this.gpio = mcu.gpio;
    for (const pin of [...this.rows, ...this.columns]) {
      this.gpio[pin].addListener(() => this.settle());
    }
    this.settle();
  }

  set(row, column, level) {
    const at = `${row} ${column}`;
    if (level) this.closed.add(at);
    else this.closed.delete(at);
    this.settle();
  }

  bridge(row, column) {
    this.bridged.add(`${row} ${column}`);
    this.settle();
  }

  /* What is pulled low spreads through closed switches: forwards through their diodes. */
  settle() {
    const low = new Set([...this.rows, ...this.columns].filter((pin) => this.gpio[pin].value === GPIOPinState.Low));
    for (let changed = true; changed; ) {
      changed = false;
      for (const at of this.closed) {
        const [row, column] = at.split(" ").map(Number);
        const [r, c] = [this.rows[row], this.columns[column]];
        if (low.has(r) && !low.has(c)) changed = Boolean(low.add(c));
        if (low.has(c) && this.bridged.has(at) && !low.has(r)) changed = Boolean(low.add(r));
      }
    }
    for (const pin of [...this.rows, ...this.columns]) {
      this.gpio[pin].setInputValue(!low.has(pin) && this.gpio[pin].value === GPIOPinState.InputPullUp);
    }
  }
}

class Registers {
  constructor({ shift, registers, lamps }) {
    Object.assign(this, { shift, lamps, closed: new Uint8Array(8 * registers), latched: [], shifted: 0 });
  }

  connect(mcu) {
    const [load, clock, data] = this.shift.map((pin) => mcu.gpio[pin]);
    const tell = () => data.setInputValue(!this.latched[this.shifted]);
    load.addListener((state) => {
      if (state === GPIOPinState.Low) {
        this.latched = [...this.closed];
        this.shifted = 0;
        tell();
      }
    });
    clock.addListener((state) => {
      if (state === GPIOPinState.High) {
        this.shifted += 1;
        tell();
      }
    });
  }

  /* Input H, the highest, comes out first. */
  set(register, input, level) {
    this.closed[8 * register + 7 - input] = level ? 1 : 0;
  }
}

class Multiplexers {
  constructor({ select, enable, adc, lamps }) {
    Object.assign(this, { select, enable, adc, lamps, levels: new Map() });
  }

  connect(mcu) {
    const high = (pin) => mcu.gpio[pin].value === GPIOPinState.High;
    mcu.adc.onADCRead = (channel) => {
      const input = this.select.reduce((sum, pin, i) => sum + (high(pin) ? 1 << i : 0), 0);
      const enabled = this.enable.flatMap((pin, m) => (high(pin) ? [] : [m]));
      if (channel !== this.adc[0] - 26 || enabled.length !== 1) {
        throw new Error(`channel ${channel} is read while ${enabled.length} multiplexers are enabled`);
      }
      mcu.adc.channelValues[channel] = this.levels.get(`${enabled[0]} ${input}`) ?? REST;
      mcu.adc.currentChannel = channel;
      mcu.adc.sampleAlarm.schedule(mcu.adc.sampleTime * 1000);
    };
  }

  set(multiplexer, input, level) {
    this.levels.set(`${multiplexer} ${input}`, level);
  }
}

export function circuitOf(pins) {
  if (pins.rows) return new Matrix(pins);
  return pins.shift ? new Registers(pins) : new Multiplexers(pins);
}
