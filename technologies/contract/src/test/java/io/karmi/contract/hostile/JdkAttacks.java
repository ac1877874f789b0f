package io.karmi.contract.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.List;

/** Attacks in the JDK's own format of streams, which an opener may ask for. */
final class JdkAttacks {
  private static final int ARRAY = 0x75;
  private static final int DESCRIPTION = 0x72;
  private static final int REFERENCE = 0x71;
  private static final int END = 0x78;
  private static final int NULL = 0x70;
  private static final long OBJECT_ARRAY_VERSION = 0x90CE589F1073296CL;

  private JdkAttacks() {}

  static List<Attack> all() {
    return List.of(
        new Attack("arrays of the JDK's format that have not come", JdkAttacks::longArrays),
        new Attack("arrays in arrays of the JDK's format", JdkAttacks::nestedArrays),
        new Attack("a gadget of the JDK's format in place of a string", JdkAttacks::gadget),
        new Attack("a good call in the JDK's format with some bytes changed", JdkAttacks::changed));
  }

  private static WireBytes int32(WireBytes to, int value) {
    return to.u8(value >> 24, value >> 16, value >> 8, value);
  }

  /** Arrays of objects, each the first element of the one before; nothing behind the last. */
  private static WireBytes arrays(int levels, int length) {
    WireBytes bytes = new WireBytes().u8(0xAC, 0xED, 0, 5, ARRAY, DESCRIPTION);
    bytes.utf("[Ljava.lang.Object;").bigInt64(OBJECT_ARRAY_VERSION);
    int32(bytes.u8(2, 0, 0, END, NULL), length);
    for (int i = 1; i < levels; i++) {
      int32(bytes.u8(ARRAY, REFERENCE, 0, 0x7E, 0, 0), length);
    }
    return bytes;
  }

  /** A stream with an object. */
  static byte[] objects(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.useProtocolVersion(ObjectOutputStream.PROTOCOL_VERSION_2);
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static void longArrays(Target target) throws IOException {
    for (int i = target.between(1, 5); i > 0; i--) {
      RawPeer peer = target.introducedForJdk();
      WireBytes body = peer.request(target.object(), Target.ECHO);
      body.raw(arrays(1, target.between(1 << 20, Integer.MAX_VALUE - 1)));
      peer.frame(RawPeer.CALL, body.raw(target.bytes(target.between(0, 100))).toArray());
      peer.reply();
    }
  }

  private static void nestedArrays(Target target) throws IOException {
    RawPeer peer = target.introducedForJdk();
    WireBytes body = peer.request(target.object(), Target.ECHO);
    body.raw(arrays(target.between(2, 400), target.between(1000, 1 << 16)));
    boolean ends = target.random().nextBoolean();
    peer.frame(RawPeer.CALL | (ends ? 0 : RawPeer.MORE), body.toArray());
    if (ends) {
      peer.reply();
    }
  }

  private static void gadget(Target target) throws IOException {
    target.introducedForJdk().call(target.object(), Target.TEXT, objects(new Besieged.Gadget()));
  }

  private static void changed(Target target) throws IOException {
    for (int i = target.between(1, 20); i > 0; i--) {
      RawPeer peer = target.introducedForJdk();
      byte[] call =
          peer.request(target.object(), Target.ECHO)
              .raw(objects(List.of("one", 2, new long[] {3, 4}, List.of())))
              .toArray();
      for (int j = target.between(1, 4); j > 0; j--) {
        call[target.random().nextInt(call.length)] = (byte) target.random().nextInt();
      }
      peer.frame(RawPeer.CALL, call);
      peer.endOutput();
      peer.isClosedByNode();
    }
  }
}
