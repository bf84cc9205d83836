import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonText, ownField } from "../json/json-values.js";
import {
  deducedMap,
  deducedType,
  type ListType,
  type MapType,
  type MergeType,
  memberType,
  type StructType,
} from "../schema/merge-type.js";

/** What a shape records of a value. Numbers, so that they never equal a name or a key. */
const mark = {
  absent: 0,
  null: 1,
  true: 2,
  false: 3,
  zero: 4,
  number: 5,
  bigInteger: 6,
  emptyString: 7,
  string: 8,
  emptyList: 9,
  list: 10,
  emptyObject: 11,
  object: 12,
  fields: 13,
  items: 14,
  end: 15,
  textKey: 16,
  numberKey: 17,
  otherKey: 18,
} as const;

type Mark = (typeof mark)[keyof typeof mark];
/** A mark, a field name, or the value of a key. */
type Token = Mark | string;

/** Most nodes have one child, so a lookup is one comparison. */
interface Place<T> {
  token: Token | undefined;
  next: Place<T> | undefined;
  others: Map<Token, Place<T>> | undefined;
  value: T | undefined;
}

/** Longer than every valid name and key. A shape with a longer one is not kept, because it would fill the cache. */
const tokenLengthMax = 512;
/** Characters of a name or key that count as another node. */
const charactersPerPlace = 64;
/** The fraction of a tree's nodes that one shape may take. */
const shareOfShape = 1 / 4;

/**
 * A cache by shape. The shape of an object is everything that decides its field set: field names, the keys of list items, and for
 * other values only their type and whether they are zero. Shapes are paths of a tree that is walked along with the object, without
 * allocating. Clears itself once it has `placesMax` nodes; long names and keys count as several.
 */
export class ShapeTree<T> {
  readonly #placesMax: number;
  #root: Place<T> = newPlace();
  #places = 0;
  /** Where the path of the current object ends in the tree. */
  #placesEnd = 0;
  /** Undefined when the shape does not fit into the tree. */
  #at: Place<T> | undefined;

  constructor(placesMax: number) {
    this.#placesMax = placesMax;
  }

  get places(): number {
    return this.#places;
  }

  clear(): void {
    this.#root = newPlace();
    this.#places = 0;
    this.#at = undefined;
  }

  /**
   * Where the value for the shape of `object` is kept; undefined when the shape does not fit into the tree. All objects of a tree have one
   * type.
   */
  placeOf(object: JsonObject, type: StructType): { value: T | undefined } | undefined {
    if (this.#places >= this.#placesMax) this.clear();
    this.#placesEnd = Math.min(this.#placesMax, this.#places + this.#placesMax * shareOfShape);
    this.#at = this.#root;
    this.#fields(object, type);
    return this.#at;
  }

  #step(token: Token): void {
    const place = this.#at;
    if (place === undefined) return;
    this.#at = place.token === token && place.next !== undefined ? place.next : this.#branch(place, token);
  }

  #branch(place: Place<T>, token: Token): Place<T> | undefined {
    const known = place.others?.get(token);
    if (known !== undefined) return known;
    if (this.#places >= this.#placesEnd) return undefined;
    this.#places++;
    if (typeof token === "string") {
      if (token.length > tokenLengthMax) return undefined;
      this.#places += Math.floor(token.length / charactersPerPlace);
    }
    const added = newPlace<T>();
    if (place.next === undefined) {
      place.token = token;
      place.next = added;
    } else {
      place.others ??= new Map();
      place.others.set(token, added);
    }
    return added;
  }

  #value(value: JsonValue | undefined, type: MergeType): void {
    const { kind } = type;
    if (kind === "list") {
      if (type.relation !== "atomic" && isJsonArray(value) && value.length > 0) this.#items(value, type);
      else this.#step(markOf(value));
    } else if (kind !== "scalar" && isJsonObject(value)) {
      if (kind === "deduced") this.#fields(value, deducedMap);
      else if (type.atomic) this.#step(markOf(value));
      else this.#fields(value, type);
    } else {
      this.#step(markOf(value));
    }
  }

  #fields(object: JsonObject, type: StructType | MapType): void {
    this.#step(mark.fields);
    for (const name in object) {
      // Stop walking: the shape does not fit.
      if (this.#at === undefined) return;
      const value = object[name];
      if (value === undefined) continue;
      this.#step(name);
      this.#value(value, memberType(type, name) ?? deducedType);
    }
    this.#step(mark.end);
  }

  #items(items: readonly JsonValue[], type: ListType): void {
    this.#step(mark.items);
    for (const item of items) {
      if (this.#at === undefined) return;
      if (type.relation === "set") {
        this.#key(item);
        continue;
      }
      if (isJsonObject(item)) for (const key of type.keys) this.#key(ownField(item, key));
      this.#value(item, type.element);
    }
    this.#step(mark.end);
  }

  /** A scalar that is part of a path. */
  #key(value: JsonValue | undefined): void {
    if (value === undefined) {
      this.#step(mark.absent);
    } else if (typeof value === "string") {
      this.#step(mark.textKey);
      this.#step(value);
    } else {
      this.#step(typeof value === "number" ? mark.numberKey : mark.otherKey);
      this.#step(typeof value === "number" ? String(value) : `${typeof value} ${jsonText(value)}`);
    }
  }
}

function newPlace<T>(): Place<T> {
  return { token: undefined, next: undefined, others: undefined, value: undefined };
}

function markOf(value: JsonValue | undefined): Mark {
  switch (typeof value) {
    case "string":
      return value === "" ? mark.emptyString : mark.string;
    case "number":
      return value === 0 ? mark.zero : mark.number;
    case "bigint":
      return mark.bigInteger;
    case "boolean":
      return value ? mark.true : mark.false;
    case "undefined":
      return mark.absent;
    default:
      if (value === null) return mark.null;
      for (const _ in value) return isJsonArray(value) ? mark.list : mark.object;
      return isJsonArray(value) ? mark.emptyList : mark.emptyObject;
  }
}
