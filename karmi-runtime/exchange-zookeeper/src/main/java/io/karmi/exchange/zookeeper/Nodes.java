package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import io.karmi.messaging.Address;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StreamCorruptedException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a space: their paths, and what is in them, which is a claim.
 *
 * <pre>
 * /space                        what all members know: {@link Space}
 * /members/m-0000000012         a member, ephemeral: {@link Member}
 * /groups/ab/address            a group; it lives while it has children of the first four kinds
 *     /mC                       a member holds it, ephemeral; C is the member's number
 *     /kHASH                    a key is bound to it; the key
 *     /dADDRESS                 that group refers to it
 *     /n                        counted reads are left: {@link Reads}
 *     /h1F                      the host of that number has its file
 *     /r0, /r1 ...              the groups that it refers to
 * /keys/ab/HASH                 a key: {@link Key}; ephemeral if it is to end with its owner
 * /free/1F/a/ADDRESS            a file of that host is to be removed
 * </pre>
 *
 * <p>Groups and keys are below 256 nodes each, so that each list of names fits an answer. All
 * numbers in nodes are big-endian.
 */
final class Nodes {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  static final byte[] NOTHING = {};
  static final int SHARDS = 256;
  static final int FREE_SHARDS = 16;

  static final char HOLDER = 'm';
  static final char HOST = 'h';
  static final char KEY = 'k';
  static final char REFERRER = 'd';
  static final char REFERS = 'r';
  static final char READS = 'n';

  /** Groups that one {@link #REFERS} node names: a node may have a mebibyte. */
  static final int MAXIMUM_REFERRED = 32_000;

  static final int MAXIMUM_KEY_BYTES = 1024;

  private static final byte VERSION = 1;
  private static final int ADDRESS_BYTES = 16;
  private static final int HASH_BYTES = 16;
  private static final int MAXIMUM_MEMBER_BYTES = 16 << 10;
  private static final String MEMBER = "m-";

  /** An address alone: patterns of classes let arrays of primitives through. */
  private static final ObjectInputFilter ADDRESSES =
      ObjectInputFilter.Config.createFilter(
          "maxarray=0;maxdepth=1;" + Address.class.getName() + ";!*");

  final String root;

  Nodes(String root) {
    this.root = root;
  }

  String space() {
    return root + "/space";
  }

  String members() {
    return root + "/members";
  }

  /** Where the sequential node of a member is made. */
  String newMember() {
    return members() + '/' + MEMBER;
  }

  String member(String name) {
    return members() + '/' + name;
  }

  /** The number of a member's node, from 1; 0 if it is no such name. */
  static int number(String name) {
    String digits = name.substring(name.lastIndexOf('/') + 1);
    return digits.matches(MEMBER + "\\d{10}")
        ? (int) (Long.parseLong(digits.substring(MEMBER.length())) + 1)
        : 0;
  }

  String groups() {
    return root + "/groups";
  }

  String keys() {
    return root + "/keys";
  }

  String free() {
    return root + "/free";
  }

  static String shard(String of, int number) {
    return of + '/' + HexFormat.of().toHexDigits((byte) number);
  }

  String group(GroupAddress group) {
    return shard(groups(), spread(group) & SHARDS - 1) + '/' + group;
  }

  private static int spread(GroupAddress group) {
    long mixed = group.sequence() * 0x9E3779B97F4A7C15L + group.member() * 31L + group.generation();
    return (int) (mixed ^ mixed >>> 32 ^ mixed >>> 24 ^ mixed >>> 16);
  }

  String child(GroupAddress group, String name) {
    return group(group) + '/' + name;
  }

  static String holder(int member) {
    return HOLDER + Integer.toHexString(member);
  }

  /** The member that a child of a group names; 0 if it names none. */
  static int memberOf(String holder) {
    String digits = holder.substring(1);
    return digits.matches("[0-9a-f]{1,7}") ? Integer.parseInt(digits, 16) : 0;
  }

  static String host(long host) {
    return HOST + Long.toHexString(host);
  }

  static @Nullable Long host(String child) {
    try {
      return Long.parseUnsignedLong(child.substring(1), 16);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  static String referrer(GroupAddress group) {
    return REFERRER + group.toString();
  }

  String key(String key) {
    String hash = hash(key);
    return keys() + '/' + hash.substring(0, 2) + '/' + hash;
  }

  static String boundTo(String key) {
    return KEY + hash(key);
  }

  private static String hash(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }

  String free(long host) {
    return free() + '/' + Long.toHexString(host);
  }

  String free(long host, int shard) {
    return free(host) + '/' + Integer.toHexString(shard);
  }

  String free(long host, GroupAddress group) {
    return free(host, spread(group) >>> 8 & FREE_SHARDS - 1) + '/' + group;
  }

  /** The group that a name says; null if it says none. */
  static @Nullable GroupAddress group(String name) {
    try {
      return GroupAddress.parse(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * What all members know.
   *
   * @param generation of the directory: when its nodes were made
   */
  record Space(long id, long secret, int generation) {
    byte[] bytes() {
      return ByteBuffer.allocate(21)
          .put(VERSION)
          .putLong(id)
          .putLong(secret)
          .putInt(generation)
          .array();
    }

    static Space of(String path, byte @Nullable [] bytes) throws IOException {
      ByteBuffer from = begin(path, bytes, 21, 21);
      return new Space(from.getLong(), from.getLong(), from.getInt());
    }
  }

  /**
   * A member.
   *
   * @param host number of its host's directory; 0 until it has begun
   */
  record Member(long host, Address messaging) {
    byte[] bytes() throws IOException {
      ByteArrayOutputStream address = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(address)) {
        out.writeObject(messaging);
      }
      return ByteBuffer.allocate(9 + address.size())
          .put(VERSION)
          .putLong(host)
          .put(address.toByteArray())
          .array();
    }

    static Member of(String path, byte @Nullable [] bytes) throws IOException {
      ByteBuffer from = begin(path, bytes, 9, MAXIMUM_MEMBER_BYTES);
      long host = from.getLong();
      byte[] rest = new byte[from.remaining()];
      from.get(rest);
      ByteArrayInputStream address = new ByteArrayInputStream(rest);
      try (ObjectInputStream in = new ObjectInputStream(address)) {
        in.setObjectInputFilter(ADDRESSES);
        if (in.readObject() instanceof Address messaging) {
          return new Member(host, messaging);
        }
      } catch (ClassNotFoundException | RuntimeException e) {
        throw new IOException(path + " has no address of a member", e);
      }
      throw new StreamCorruptedException(path + " has no address of a member");
    }
  }

  /**
   * A key.
   *
   * @param owner number of the member that has bound it
   */
  record Key(String key, GroupAddress group, int owner) {
    byte[] bytes() {
      byte[] text = key.getBytes(StandardCharsets.UTF_8);
      ByteBuffer to = ByteBuffer.allocate(1 + ADDRESS_BYTES + Integer.BYTES + text.length);
      put(to.put(VERSION), group);
      return to.putInt(owner).put(text).array();
    }

    static Key of(String path, byte @Nullable [] bytes) throws IOException {
      int before = 1 + ADDRESS_BYTES + Integer.BYTES;
      ByteBuffer from = begin(path, bytes, before + 1, before + MAXIMUM_KEY_BYTES);
      GroupAddress group = get(from);
      int owner = from.getInt();
      return new Key(StandardCharsets.UTF_8.decode(from).toString(), group, owner);
    }
  }

  /**
   * Reads that keep a group.
   *
   * @param left less than 0 where reads were reported before their number
   * @param writer number of the member that has put the group; 0 until it has told their number
   */
  record Reads(int left, int writer) {
    byte[] bytes() {
      return ByteBuffer.allocate(9).put(VERSION).putInt(left).putInt(writer).array();
    }

    /** Null for what is no count, which is as if there were none. */
    static @Nullable Reads of(String path, byte @Nullable [] bytes) {
      try {
        ByteBuffer from = begin(path, bytes, 9, 9);
        return new Reads(from.getInt(), from.getInt());
      } catch (StreamCorruptedException e) {
        LOG.log(Level.WARNING, "a count of reads is passed over: {0}", e.getMessage());
        return null;
      }
    }
  }

  static byte[] bytes(List<GroupAddress> groups) {
    ByteBuffer to = ByteBuffer.allocate(1 + groups.size() * ADDRESS_BYTES).put(VERSION);
    groups.forEach(each -> put(to, each));
    return to.array();
  }

  /** The groups that a node names; none if it is no list. */
  static List<GroupAddress> groups(String path, byte @Nullable [] bytes) {
    List<GroupAddress> groups = new ArrayList<>();
    try {
      ByteBuffer from = begin(path, bytes, 1, 1 + MAXIMUM_REFERRED * ADDRESS_BYTES);
      while (from.remaining() >= ADDRESS_BYTES) {
        groups.add(get(from));
      }
    } catch (StreamCorruptedException e) {
      LOG.log(Level.WARNING, "a list of groups is passed over: {0}", e.getMessage());
    }
    return groups;
  }

  private static void put(ByteBuffer to, GroupAddress group) {
    to.putInt(group.member()).putLong(group.sequence()).putInt(group.generation());
  }

  private static GroupAddress get(ByteBuffer from) {
    return new GroupAddress(from.getInt(), from.getLong(), from.getInt());
  }

  private static ByteBuffer begin(String path, byte @Nullable [] bytes, int least, int most)
      throws StreamCorruptedException {
    if (bytes == null || bytes.length < least || bytes.length > most || bytes[0] != VERSION) {
      throw new StreamCorruptedException(
          "the node "
              + path
              + " is none of this version of KaRMI: it has "
              + (bytes == null ? "no" : bytes.length)
              + " bytes of data, and "
              + least
              + " to "
              + most
              + " were expected, the first of them "
              + VERSION);
    }
    return ByteBuffer.wrap(bytes, 1, bytes.length - 1);
  }
}
