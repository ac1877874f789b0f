package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaOptions;

/** The contestants: ours first, then the JDK, then the peers. */
public enum SerializationStack {
  UKA {
    @Override
    Codec open() throws Exception {
      return UkaCodec.asItComes();
    }
  },
  /** With copies of the payloads' classes: what {@link #UKA_WOVEN} is to be compared with. */
  UKA_COPY {
    @Override
    Codec open() throws Exception {
      return UkaCodec.copied();
    }
  },
  UKA_WOVEN {
    @Override
    Codec open() throws Exception {
      return UkaCodec.woven();
    }
  },
  UKA_FRESH {
    @Override
    Codec open() {
      return new UkaStreamCodec(UkaOptions.fromSystemProperties());
    }
  },
  UKA_JDK_FORMAT {
    @Override
    Codec open() {
      return new UkaStreamCodec(new UkaOptions(UkaOptions.Format.JDK));
    }
  },
  JDK {
    @Override
    Codec open() {
      return new JdkCodec(false);
    }
  },
  JDK_RMI {
    @Override
    Codec open() {
      return new JdkCodec(true);
    }
  },
  KRYO {
    @Override
    Codec open() {
      return new KryoCodec();
    }
  },
  FORY {
    @Override
    Codec open() {
      return ForyCodec.asItComes();
    }
  },
  FORY_BEST {
    @Override
    Codec open() {
      return ForyCodec.atItsBest();
    }
  },
  FST {
    @Override
    Codec open() {
      return new FstCodec();
    }
  },
  RIVER {
    @Override
    Codec open() throws Exception {
      return new RiverCodec();
    }
  },
  PROTOSTUFF {
    @Override
    Codec open() {
      return new ProtostuffCodec();
    }
  };

  boolean isOurs() {
    return name().startsWith("UKA");
  }

  /** A codec that has not seen any class yet. */
  abstract Codec open() throws Exception;
}
