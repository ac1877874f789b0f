package io.karmi.dgc.counting;

import io.karmi.dgc.Collector;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.HolderCounts;
import io.karmi.dgc.Sender;
import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Accounts of an owner: one for each line, with the weight of each object. Thread-safe. */
final class Accounts {
  /** Bytes that an account takes, and each weight in it. */
  static final long ACCOUNT_BYTES = 512;

  static final long WEIGHT_BYTES = 128;

  private final ExportedObjects objects;
  private final Ledger ledger;
  private final Map<Long, Account> accounts = new HashMap<>();

  /**
   * Accounts of each holder, the youngest last, by the identity that has opened them. A node id is
   * no identity: an impostor that claims it would be sent the numbers of the holder's accounts, or
   * have the holder's references counted on its own.
   */
  private final Map<Object, List<Account>> byHolder = new HashMap<>();

  /** Number of accounts of each object; objects without an account are absent. */
  private final HolderCounts holds;

  /** No account is open; what they take is taken of the ledger. */
  Accounts(ExportedObjects objects, Ledger ledger) {
    this.objects = objects;
    this.ledger = ledger;
    holds = new HolderCounts(objects);
  }

  /** Counts a reference that is about to be sent; its credit is the number of the account. */
  synchronized long leaving(long number, Object receiver) {
    List<Account> open = byHolder.get(receiver);
    if (open == null) {
      return Collector.NO_CREDIT;
    }
    Account youngest = open.get(open.size() - 1);
    return add(youngest, number) ? youngest.number : Collector.NO_CREDIT;
  }

  synchronized void notArrived(long number, long credit) {
    Account account = accounts.get(credit);
    if (account != null) {
      subtract(account, number, 1);
    }
  }

  long receive(Sender from, long[] message) {
    if (message.length == 2 && message[0] == CountingMessage.OPEN) {
      open(from, message[1]);
      return CountingMessage.DONE;
    }
    if (message.length < CountingMessage.FIRST_NUMBER) {
      throw new IllegalArgumentException("counting message of " + message.length + " numbers");
    }
    if (message[0] == CountingMessage.CLAIM) {
      return claim(from.node(), message);
    }
    if (message[0] == CountingMessage.RELEASE && message.length % 2 == 1) {
      return release(from.node(), message);
    }
    throw new IllegalArgumentException(
        "counting message of kind " + message[0] + " with " + message.length + " numbers");
  }

  private void open(Sender from, long number) {
    synchronized (this) {
      if (number == Collector.NO_CREDIT || accounts.containsKey(number)) {
        throw new IllegalArgumentException("account " + number + " cannot be opened");
      }
      Account account = new Account(number, from);
      if (!tryTake(account, ACCOUNT_BYTES)) {
        throw noRoom(account);
      }
      accounts.put(number, account);
      byHolder.computeIfAbsent(account.identity, any -> new ArrayList<>(1)).add(account);
    }
    boolean watched = false;
    try {
      from.whenGone(() -> close(number));
      watched = true;
    } finally {
      if (!watched) {
        close(number);
      }
    }
  }

  private IllegalArgumentException noRoom(Account account) {
    return new IllegalArgumentException(
        "no account for another node or object of "
            + account.host
            + ": leases take "
            + ledger.taken()
            + " of "
            + ledger.most()
            + " bytes");
  }

  private boolean tryTake(Account account, long bytes) {
    boolean taken = ledger.take(account.host, bytes) == Ledger.Outcome.TAKEN;
    account.takenBytes += taken ? bytes : 0;
    return taken;
  }

  private void giveBack(Account account, long bytes) {
    ledger.giveBack(account.host, bytes);
    account.takenBytes -= bytes;
  }

  private synchronized void close(long number) {
    Account account = accounts.remove(number);
    if (account != null) {
      List<Account> open = byHolder.get(account.identity);
      if (open != null && open.remove(account) && open.isEmpty()) {
        byHolder.remove(account.identity);
      }
      account.weights.keySet().forEach(holds::remove);
      giveBack(account, account.takenBytes);
    }
  }

  private synchronized long claim(NodeId from, long[] message) {
    Account account = account(from, message[1]);
    if (account == null) {
      return CountingMessage.NO_ACCOUNT;
    }
    if (account.isNews(message[2])) {
      for (int i = CountingMessage.FIRST_NUMBER; i < message.length; i++) {
        if (!add(account, message[i]) && objects.isExported(message[i])) {
          throw noRoom(account);
        }
      }
    }
    return CountingMessage.DONE;
  }

  private synchronized long release(NodeId from, long[] message) {
    Account account = account(from, message[1]);
    if (account == null) {
      return CountingMessage.NO_ACCOUNT;
    }
    if (account.isNews(message[2])) {
      for (int i = CountingMessage.FIRST_NUMBER; i < message.length; i += 2) {
        subtract(account, message[i], message[i + 1]);
      }
    }
    return CountingMessage.DONE;
  }

  /**
   * The number of an account is a secret of owner and holder, who may speak of it over each of the
   * connections between them.
   */
  private @Nullable Account account(NodeId from, long number) {
    Account account = accounts.get(number);
    return account != null && account.holder.equals(from) ? account : null;
  }

  /**
   * Adds one to a weight; false if there is no such object, or no room for another one. The first
   * holder of an object takes no room: there are no more of these than the program has objects.
   */
  private boolean add(Account account, long number) {
    Long before = account.weights.get(number);
    if (before == null
        && objects.isExported(number)
        && holds.isHeld(number)
        && !tryTake(account, WEIGHT_BYTES)) {
      return false;
    }
    if (!objects.hold(number)) {
      return false;
    }
    account.weights.put(number, before == null ? 1 : before + 1);
    if (before == null) {
      holds.add(number);
    }
    return true;
  }

  private void subtract(Account account, long number, long weight) {
    Long before = account.weights.get(number);
    if (before == null || weight <= 0) {
      return;
    }
    if (before > weight) {
      account.weights.put(number, before - weight);
    } else {
      account.weights.remove(number);
      holds.remove(number);
      long most = ACCOUNT_BYTES + WEIGHT_BYTES * account.weights.size();
      if (account.takenBytes > most) {
        giveBack(account, account.takenBytes - most);
      }
    }
  }

  synchronized int heldObjects() {
    return holds.heldObjects();
  }

  /** The account of one holder over one line. */
  private static final class Account {
    final long number;
    final NodeId holder;
    final Object identity;
    final @Nullable Object host;
    final Map<Long, Long> weights = new HashMap<>();

    /** Taken of the ledger. */
    long takenBytes;

    private long lastSequence;

    Account(long number, Sender from) {
      this.number = number;
      holder = from.node();
      identity = from.identity();
      host = from.host();
    }

    /** False if the message was handled before: its answer got lost, and it was sent again. */
    boolean isNews(long sequence) {
      boolean news = sequence > lastSequence;
      if (news) {
        lastSequence = sequence;
      }
      return news;
    }
  }
}
