package io.karmi.exchange;

import io.karmi.exchange.directory.Report;
import io.karmi.exchange.pull.FetchGroup;
import io.karmi.exchange.record.GroupHeader;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.Naming;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/** A member that says it has groups, and answers requests for them with anything else. */
public final class HostileMain {
  /** How many kinds of answers there are: that of a group is its sequence. */
  static final int KINDS = 14;

  /** Says that it takes nearly all that is free on the disk, and goes on. */
  static final int NEARLY_ALL = 10;

  /** From this kind on it is a whole group, and none of its bytes are an object. */
  static final int WHOLE = 11;

  /** Is not answered. */
  static final int NEVER = 7;

  /** Goes on without an end. */
  static final int ENDLESS = 8;

  /** Refers to itself. */
  private static final int CIRCLE = 12;

  private HostileMain() {}

  /**
   * The program.
   *
   * @param arguments URL of the space
   */
  public static void main(String... arguments) throws Exception {
    Messaging messaging = Messaging.ofThisNode();
    messaging.answer(FetchGroup.class, (request, from) -> answer(request));
    MetadataServer server = (MetadataServer) Naming.lookup(arguments[0]);
    MetadataServer.Registration registered = server.register(messaging.address(), 0, true);
    registered.membership().begin(new Random().nextLong());
    int member = registered.joined().member();
    int generation = registered.joined().generation();
    System.out.println("joined " + new GroupAddress(member, 0, generation));
    GroupAddress[] held = new GroupAddress[KINDS];
    for (int i = 0; i < KINDS; i++) {
      held[i] = new GroupAddress(member, i, generation);
    }
    Report claims =
        new Report(
            held,
            new int[KINDS],
            new GroupAddress[0],
            new GroupAddress[0],
            new Report.Dependency[0],
            held);
    while (true) {
      registered.membership().update(claims);
      Thread.sleep(1000);
    }
  }

  private static Object answer(FetchGroup request) {
    byte[] body = new byte[1000];
    new Random(1).nextBytes(body);
    long total = GroupHeader.BYTES + body.length;
    return switch ((int) request.group().sequence()) {
      case 0 -> new byte[0];
      case 1 -> answer(-1, body);
      case 2 -> answer(1L << 60, body);
      case 3 -> answer(body.length, body);
      case 4 -> "no bytes";
      case 5 -> answer(total, record(request, new GroupAddress(9, 9, 9), body, 0));
      case 6 -> answer(total, record(request, request.group(), body, 1));
      case NEVER -> new CompletableFuture<byte[]>();
      case ENDLESS -> answer(1L << 50, new byte[FetchGroup.PIECE_BYTES]);
      case 9 -> answer(total, new byte[64 * FetchGroup.PIECE_BYTES]);
      case NEARLY_ALL -> nearlyAll(request);
      case WHOLE -> answer(total, record(request, request.group(), body, 0));
      case CIRCLE -> refersTo(request, request.group());
      default -> refersTo(request, after(request.group())); // and that to the one after it
    };
  }

  private static byte[] nearlyAll(FetchGroup request) {
    long total = Path.of("").toAbsolutePath().toFile().getUsableSpace() / 16 * 15;
    byte[] piece = new byte[FetchGroup.PIECE_BYTES];
    if (request.from() == 0) {
      long length = total - GroupHeader.BYTES;
      GroupHeader header = new GroupHeader(0, request.space(), request.group(), length, 0, 0);
      System.arraycopy(header.bytes(), 0, piece, 0, GroupHeader.BYTES);
    }
    return answer(total, piece);
  }

  private static GroupAddress after(GroupAddress group) {
    return new GroupAddress(group.member(), group.sequence() + 1, group.generation());
  }

  private static byte[] refersTo(FetchGroup request, GroupAddress on) {
    ByteBuffer rest = ByteBuffer.allocate(1 + GroupHeader.ADDRESS_BYTES);
    GroupHeader.put(rest.order(ByteOrder.LITTLE_ENDIAN).put((byte) 7), on);
    CRC32C crc = new CRC32C();
    crc.update(rest.array());
    GroupHeader header = new GroupHeader(0, request.space(), request.group(), 1, 1, 0).sealed(crc);
    ByteBuffer record = ByteBuffer.allocate(GroupHeader.BYTES + rest.capacity());
    record.put(header.bytes()).put(rest.array());
    return answer(record.capacity(), record.array());
  }

  private static byte[] answer(long total, byte... piece) {
    return ByteBuffer.allocate(8 + piece.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(total)
        .put(piece)
        .array();
  }

  private static byte[] record(FetchGroup request, GroupAddress named, byte[] body, int error) {
    CRC32C crc = new CRC32C();
    crc.update(body, 0, body.length);
    GroupHeader header = new GroupHeader(0, request.space(), named, body.length, 0, 0).sealed(crc);
    GroupHeader told =
        new GroupHeader(0, request.space(), named, body.length, 0, header.crc() + error);
    return ByteBuffer.allocate(GroupHeader.BYTES + body.length).put(told.bytes()).put(body).array();
  }
}
