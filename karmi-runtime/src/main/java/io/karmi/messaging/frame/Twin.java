package io.karmi.messaging.frame;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a link knows of another one that leads to the same node.
 *
 * <p>Two nodes that send to each other by references open a link each. The one with the smaller id
 * keeps its own. The other one, N, must not believe a link that has come in, as any node can claim
 * an id. So N draws a number, and knocks by it at both links: at the one that has come in, and at
 * the one that N has opened, which leads where N's reference does. The node there looks for the
 * number at a link that it has opened itself. Over the second link it then says where it has
 * dialled that one. If N listens there, both links lead to that node: a node in between would have
 * been dialled at an address of its own. N closes its own link when all that was sent over it is
 * processed, so that order is kept, and sends over the other one.
 *
 * <p>Belongs to the thread that looks after links, but for what the reading thread tells.
 *
 * @param <L> link
 */
public final class Twin<L extends Object> {
  /** Looks, four of which take a second, until another link is tried: one question at a time. */
  private static final int PATIENCE = 12;

  private final @Nullable String dialled;

  /** The number by which the other end has knocked last; 0 if it has not. */
  private volatile long knock;

  private long answered;

  /** How often this end has knocked at this link, which the other node has opened. */
  private int tried;

  /** Looks until the other end counts as not answering. */
  private int looks;

  /** What this end has asked last; one value, so that an answer never meets half of it. */
  private volatile @Nullable Question<L> asked;

  private volatile @Nullable L other;
  private volatile boolean proven;

  /** A number by which this end has knocked, and the other link at which it has. */
  private record Question<L extends Object>(long number, L link) {}

  /**
   * For a new link.
   *
   * @param dialled where this node has opened it; null if the other one has
   */
  public Twin(@Nullable String dialled) {
    this.dialled = dialled;
  }

  /** Where this node has opened the link; null if the other one has. */
  public @Nullable String dialled() {
    return dialled;
  }

  /** Whether the link leads where a reference of this node does. */
  public boolean isProven() {
    return dialled != null || proven;
  }

  /** A reference of this node leads to the other end, though that has opened the link. */
  public void prove() {
    proven = true;
  }

  /** The other link to the same node, over which messages go once this one is closed, or null. */
  public @Nullable L other() {
    return other;
  }

  /** The other end knocks; called by the reading thread. */
  public void knocked(long number) {
    knock = number;
  }

  /** The number by which the other end has knocked, and was not answered; 0 for none. */
  public long unanswered() {
    long number = knock;
    return number == answered ? 0 : number;
  }

  /** Whether the other end has knocked by this number last. */
  public boolean isKnockedBy(long number) {
    return knock == number;
  }

  /** The other end has knocked by the same number at another link, and is told so. */
  public void answer(long number, L same) {
    answered = number;
    other = same;
  }

  /** How often this end has knocked at this link, which the other node has opened. */
  public int tried() {
    return tried;
  }

  /** This end knocks at this link, which the other node has opened. */
  public void tryIt() {
    tried++;
  }

  /** Whether the other end may still answer; called at each look. */
  public boolean isAsking() {
    return looks > 0 && looks-- > 0;
  }

  /** This end knocks here and at another link. */
  public void ask(long number, L at) {
    looks = PATIENCE;
    asked = new Question<>(number, at);
  }

  /**
   * The other end has dialled an address, and got the number over the link to there; called by the
   * reading thread.
   *
   * @param own where this node listens
   * @return the other link if that leads to the same node, or null
   */
  public @Nullable L joined(long number, String way, List<String> own) {
    Question<L> question = asked;
    if (question == null || number != question.number || !own.contains(way)) {
      return null;
    }
    other = question.link;
    return question.link;
  }
}
