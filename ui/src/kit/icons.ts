import ArrowDown from "@lucide/svelte/icons/arrow-down";
import ArrowLeftRight from "@lucide/svelte/icons/arrow-left-right";
import ArrowUp from "@lucide/svelte/icons/arrow-up";
import Brain from "@lucide/svelte/icons/brain";
import Check from "@lucide/svelte/icons/check";
import ChevronRight from "@lucide/svelte/icons/chevron-right";
import Circle from "@lucide/svelte/icons/circle";
import CircleAlert from "@lucide/svelte/icons/circle-alert";
import CircleCheck from "@lucide/svelte/icons/circle-check";
import CircleDot from "@lucide/svelte/icons/circle-dot";
import CircleX from "@lucide/svelte/icons/circle-x";
import Clock from "@lucide/svelte/icons/clock";
import Copy from "@lucide/svelte/icons/copy";
import Ellipsis from "@lucide/svelte/icons/ellipsis";
import FileText from "@lucide/svelte/icons/file-text";
import Globe from "@lucide/svelte/icons/globe";
import Hand from "@lucide/svelte/icons/hand";
import Hash from "@lucide/svelte/icons/hash";
import Info from "@lucide/svelte/icons/info";
import ListTodo from "@lucide/svelte/icons/list-todo";
import Menu from "@lucide/svelte/icons/menu";
import Paperclip from "@lucide/svelte/icons/paperclip";
import Pencil from "@lucide/svelte/icons/pencil";
import Play from "@lucide/svelte/icons/play";
import RotateCw from "@lucide/svelte/icons/rotate-cw";
import Search from "@lucide/svelte/icons/search";
import Settings from "@lucide/svelte/icons/settings";
import SlidersHorizontal from "@lucide/svelte/icons/sliders-horizontal";
import Square from "@lucide/svelte/icons/square";
import SquareTerminal from "@lucide/svelte/icons/square-terminal";
import Trash2 from "@lucide/svelte/icons/trash-2";
import TriangleAlert from "@lucide/svelte/icons/triangle-alert";
import Undo2 from "@lucide/svelte/icons/undo-2";
import Unplug from "@lucide/svelte/icons/unplug";
import Wrench from "@lucide/svelte/icons/wrench";
import X from "@lucide/svelte/icons/x";

/** The icons that are used, by what they show. */
export const icons = {
  alert: CircleAlert,
  attachment: Paperclip,
  brain: Brain,
  check: Check,
  chevron: ChevronRight,
  clock: Clock,
  close: X,
  copy: Copy,
  done: CircleCheck,
  down: ArrowDown,
  failed: CircleX,
  file: FileText,
  globe: Globe,
  hand: Hand,
  hash: Hash,
  info: Info,
  menu: Menu,
  more: Ellipsis,
  move: ArrowLeftRight,
  pencil: Pencil,
  pending: Circle,
  plan: ListTodo,
  restart: RotateCw,
  running: CircleDot,
  search: Search,
  send: ArrowUp,
  settings: Settings,
  sliders: SlidersHorizontal,
  start: Play,
  stop: Square,
  terminal: SquareTerminal,
  trash: Trash2,
  undo: Undo2,
  unplug: Unplug,
  warning: TriangleAlert,
  wrench: Wrench,
} as const;

export type IconName = keyof typeof icons;
